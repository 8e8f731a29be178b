"""The server's side of NTLM, by Debian's gss-ntlmssp: a line in, a line out, octets in base64.

accept TOKEN   -> challenge TOKEN | accepted NAME | refused REASON
unwrap SEALED  -> plain OCTETS | refused REASON
wrap OCTETS    -> sealed SEALED
"""

import base64
import sys

import gssapi

NTLM = gssapi.OID.from_int_seq("1.3.6.1.4.1.311.2.2.10")


def accept(context, octets):
    token = context.step(octets) or b""
    if context.complete:
        return "accepted " + str(context.initiator_name)
    return "challenge " + base64.b64encode(token).decode()


def answer(context, verb, octets):
    try:
        if verb == "accept":
            return accept(context, octets)
        if verb == "unwrap":
            return "plain " + base64.b64encode(context.unwrap(octets).message).decode()
        return "sealed " + base64.b64encode(context.wrap(octets, True).message).decode()
    except gssapi.exceptions.GSSError as error:
        return "refused " + str(error).replace("\n", " ")


def main():
    credentials = gssapi.Credentials(usage="accept", mechs=[NTLM])
    context = gssapi.SecurityContext(creds=credentials, usage="accept")
    for line in sys.stdin:
        verb, _, rest = line.strip().partition(" ")
        print(answer(context, verb, base64.b64decode(rest)), flush=True)


main()
