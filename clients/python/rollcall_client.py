"""A client of Rollcall's REST API. It needs Python 3.9 or newer and nothing else."""

import hashlib
import hmac
import json
import time
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

PAGE = 500
REDIRECTS = (301, 302, 303, 307, 308)
WAIT_SECONDS = 1.0
WAIT_SECONDS_MAX = 120.0
DELIVERY_AGE_MAX = timedelta(minutes=5)


class ApiError(Exception):
    """The server refused."""

    def __init__(self, status: int, body: Mapping[str, Any]):
        super().__init__(body.get("message") or f"the server answered {status}")
        self.status = status
        self.code = body.get("error", "unknown")


class Client:
    """Requests that are answered 429 or 503 are sent again when the server says so, where that cannot do anything twice."""

    def __init__(
        self,
        address: str,
        api_key: str,
        *,
        attempts: int = 5,
        timeout: float = 60.0,
        wait: Callable[[float], None] = time.sleep,
    ):
        self._base = address.rstrip("/") + "/api/v1"
        self._api_key = api_key
        self._attempts = attempts
        self._timeout = timeout
        self._wait = wait

    def get(self, path: str, **query: Any) -> Any:
        """`path` is below /api/v1, such as /assets; parts that others wrote belong through `segment`."""
        return self._send("GET", path, query=query)

    def post(self, path: str, body: Any = None, *, idempotency_key: Optional[str] = None) -> Any:
        return self._send("POST", path, body=body, idempotency_key=idempotency_key)

    def put(self, path: str, body: Any) -> Any:
        return self._send("PUT", path, body=body)

    def patch(self, path: str, body: Any) -> Any:
        return self._send("PATCH", path, body=body)

    def delete(self, path: str) -> Any:
        return self._send("DELETE", path)

    def all(self, path: str, **query: Any) -> Iterator[Dict[str, Any]]:
        """Every item of a list, page by page. What is added or removed meanwhile may be seen twice or not at all."""
        offset = 0
        while True:
            data = self.get(path, **{"limit": PAGE, **query, "offset": offset})["data"]
            yield from data
            if not data:
                return
            offset += len(data)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base + path + ("?" + urlencode(given) if given else "")
        headers = {"X-API-Key": self._api_key}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        content = None if body is None else json.dumps(body).encode()
        is_repeatable = method == "GET" or idempotency_key is not None
        attempt = 1
        while True:
            try:
                request = Request(url, data=content, headers=headers, method=method)
                with _OPENER.open(request, timeout=self._timeout) as answer:
                    return _content_of(answer)
            except HTTPError as refused:
                delay = _retry_delay(refused, is_repeatable)
                if delay is None or attempt >= self._attempts:
                    raise _error_of(refused) from None
            self._wait(delay)
            attempt += 1


class _WithinOrigin(HTTPRedirectHandler):
    """The headers of a request go along with a redirect, the key among them; so only the server that was named gets them."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if req.get_method() != "GET" or _origin(newurl) != _origin(req.full_url):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = build_opener(_WithinOrigin)


def _origin(url: str) -> Tuple[str, Optional[str], Optional[int]]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def segment(text: str) -> str:
    """One part of a path."""
    return quote(text, safe="")


def is_genuine(headers: Mapping[str, str], body: bytes, secret: str, now: Optional[datetime] = None) -> bool:
    """Whether a delivery was signed with the secret of the endpoint within the last five minutes; `body` as it came."""
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-service-timestamp", "")
    expected = hmac.new(secret.encode(), body + timestamp.encode(), hashlib.sha256).hexdigest()
    try:
        sent = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        is_recent = abs((now or datetime.now(timezone.utc)) - sent) < DELIVERY_AGE_MAX
    except (ValueError, TypeError):
        return False
    signature = given.get("x-service-signature", "")
    return is_recent and hmac.compare_digest(expected.encode(), signature.encode())


def _content_of(answer: Any) -> Any:
    content = answer.read()
    is_json = answer.headers.get("Content-Type", "").startswith("application/json")
    return json.loads(content) if is_json else content


def _error_of(refused: HTTPError) -> ApiError:
    if refused.code in REDIRECTS:
        message = f"the server sends elsewhere, where the key is not shown: {refused.headers.get('Location')}"
        return ApiError(refused.code, {"error": "redirected", "message": message})
    try:
        body = json.loads(refused.read())
    except ValueError:
        body = {}
    return ApiError(refused.code, body if isinstance(body, dict) else {})


def _retry_delay(refused: HTTPError, is_repeatable: bool) -> Optional[float]:
    """What was refused for its rate was not carried out; what met an unavailable server may have been."""
    if refused.code != 429 and not (refused.code == 503 and is_repeatable):
        return None
    header = refused.headers.get("Retry-After")
    if header is None:
        return WAIT_SECONDS
    try:
        delay = float(header)
    except ValueError:
        try:
            delay = (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds()
        except (TypeError, ValueError):
            return WAIT_SECONDS
    return min(max(delay, 0.0), WAIT_SECONDS_MAX)
