"""Lists assets with critical findings that nobody has closed, worst first:

ROLLCALL_ADDRESS=https://inventory.example.org ROLLCALL_KEY=… python3 examples/exposed_assets.py
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from rollcall_client import Client  # noqa: E402

client = Client(os.environ.get("ROLLCALL_ADDRESS", "http://127.0.0.1:8080"), os.environ["ROLLCALL_KEY"])

exposed = []
for asset in client.all("/assets", where="any finding(severity = critical)"):
    where = f'asset.id = "{asset["id"]}" and severity = critical'
    exposed.append((len(client.get("/vulnerabilities", where=where, limit=1000)["data"]), asset["name"]))
for findings, name in sorted(exposed, reverse=True):
    print(f"{name}\t{findings}")
