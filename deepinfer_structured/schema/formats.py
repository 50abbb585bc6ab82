"""The `format` names that a regular expression can say, calendar and leap years included; ASCII text only."""

from __future__ import annotations

_YEAR = r"(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_LEAP = r"(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
_DAYS = (
    r"(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])"
)
DATE = rf"(?:{_YEAR}-(?:{_DAYS})|{_LEAP}-02-29)"
NAIVE_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
_OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_H16 = r"[0-9a-fA-F]{1,4}"
IPV6 = "|".join(
    [rf"(?:{_H16}:){{7}}{_H16}", r"::"]
    + [
        rf"(?:{_H16}:){{{head}}}:(?:{_H16}:){{0,{6 - head}}}{_H16}" if head else rf"::(?:{_H16}:){{0,5}}{_H16}"
        for head in range(1, 7)
    ]
    + [rf"::(?:{_H16}:){{0,6}}{_H16}", rf"(?:{_H16}:){{1,7}}:"]
)
_LABEL = r"[a-zA-Z0-9]{1,20}(?:-[a-zA-Z0-9]{1,12}){0,3}"
HOSTNAME = rf"{_LABEL}(?:\.{_LABEL}){{0,3}}"
_ATOM = r"[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
_NAME = r"[a-zA-Z0-9]+(?:-+[a-zA-Z0-9]+)*"
EMAIL = rf"{_ATOM}(?:\.{_ATOM})*@(?:{_NAME}\.)+[a-zA-Z]{{2,12}}"
_HOST = rf"{_NAME}(?:\.{_NAME})*"
_PATH = r"[A-Za-z0-9._~!$&'()*+,;=:@/-]"
_PERCENT = r"%[0-9A-Fa-f]{2}"
_TAIL = rf"(?:/(?:{_PATH}|{_PERCENT})*)?(?:\?(?:{_PATH}|[?]|{_PERCENT})*)?(?:#(?:{_PATH}|[?]|{_PERCENT})*)?"
_PORT = r"(?::(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}))?"
_CLOCK = r"(?:[0-9]{1,5}H(?:[0-9]{1,2}M(?:[0-9]{1,2}S)?)?|[0-9]{1,5}M(?:[0-9]{1,2}S)?|[0-9]{1,5}S)"
_DAY = r"[0-9]{1,5}D"
_MONTH = rf"[0-9]{{1,4}}M(?:{_DAY})?"
DURATION = rf"P(?:[0-9]{{1,4}}W|(?:{_DAY}|{_MONTH}|[0-9]{{1,4}}Y(?:{_MONTH})?)(?:T{_CLOCK})?|T{_CLOCK})"
_SECONDS = r"[0-9]{1,5}(?:\.[0-9]{1,6})?S"
_SPAN = rf"(?:[0-9]{{1,5}}H(?:[0-9]{{1,2}}M)?(?:{_SECONDS})?|[0-9]{{1,5}}M(?:{_SECONDS})?|{_SECONDS})"
TIMEDELTA = rf"-?P(?:[0-9]{{1,6}}D(?:T{_SPAN})?|T{_SPAN})"
_HEX8 = "[0-9a-fA-F]"


def web_url(schemes: tuple[str, ...]) -> str:
    """URLs with a host name and one of the schemes."""
    return rf"(?:{'|'.join(schemes)})://{_HOST}{_PORT}{_TAIL}"


PATTERNS: dict[str, str] = {
    "date": DATE,
    "time": NAIVE_TIME + _OFFSET,
    "naive-time": NAIVE_TIME,
    "pydantic-time": NAIVE_TIME + _OFFSET + "?",
    "date-time": DATE + "T" + NAIVE_TIME + _OFFSET,
    "naive-date-time": DATE + "T" + NAIVE_TIME,
    "pydantic-date-time": DATE + "T" + NAIVE_TIME + _OFFSET + "?",
    "duration": DURATION,
    "pydantic-duration": TIMEDELTA,
    "uuid": rf"{_HEX8}{{8}}-{_HEX8}{{4}}-{_HEX8}{{4}}-{_HEX8}{{4}}-{_HEX8}{{12}}",
    **{f"uuid{v}": rf"{_HEX8}{{8}}-{_HEX8}{{4}}-{v}{_HEX8}{{3}}-[89abAB]{_HEX8}{{3}}-{_HEX8}{{12}}" for v in "1345678"},
    "ipv4": IPV4,
    "ipv6": IPV6,
    "ipv4network": IPV4 + r"/32",
    "ipv6network": rf"(?:{IPV6})/128",
    "hostname": HOSTNAME,
    "email": EMAIL,
    "uri": rf"[a-z][a-z0-9+.-]{{0,15}}://{_HOST}{_PORT}{_TAIL}",
    "json-pointer": r"(?:/(?:[^~/]|~0|~1)*)*",
    "relative-json-pointer": r"(?:0|[1-9][0-9]{0,3})(?:#|(?:/(?:[^~/]|~0|~1)*)*)",
}
for _alias, _plain in {
    "idn-email": "email",
    "idn-hostname": "hostname",
    "iri": "uri",
    "uri-reference": "uri",
    "iri-reference": "uri",
    "uri-template": "uri",
}.items():
    PATTERNS[_alias] = PATTERNS[_plain]
"""Texts that the format admits: a subset where the format is larger, never anything outside it."""

CHECKED = frozenset({"regex"})
"""Formats that only a parser can judge."""

EXACT = frozenset({"date", "naive-time", "naive-date-time", "ipv4", "uuid", "json-pointer"})
"""Formats whose pattern takes every text of the format that the type itself would write."""
