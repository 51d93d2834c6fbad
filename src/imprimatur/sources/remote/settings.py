"""Where a remote graph is, in which words its triples are, and within which limits it is asked."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import field
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError

__all__ = ["AGENT", "Limits", "Namespaces", "Remote"]

AGENT = "imprimatur (https://pypi.org/project/imprimatur)"
_LANGUAGE = expression(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
_HOST = expression(r"[A-Za-z0-9.-]{1,253}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Within which a server is asked.

    Attributes:
        seconds: for one answer, from the first byte sent to the last one read.
        total: seconds for one query with all its tries and pauses.
        tries: how often a query is sent that a server could not answer now.
        pause: the least time from one request to the next, in seconds.
        most_bytes: of one answer. page: rows that are asked for at once.
        rows: of one thing in one direction; a thing with more facts is left out whole.
    """

    seconds: float = 60.0
    total: float = 180.0
    tries: int = 4
    pause: float = 0.2
    most_bytes: int = 16 << 20
    page: int = 1000
    rows: int = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespaces:
    """How the graph writes its things and facts: what the IRIs of things and of direct facts begin with."""

    thing: str = "http://www.wikidata.org/entity/"
    direct: str = "http://www.wikidata.org/prop/direct/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """An endpoint.

    Attributes:
        url: its address, ``http`` or ``https``, without a name or password in it.
        languages: of labels, the best first.
        cache: a folder where answers are kept, and from which they are given again; None keeps nothing.
        authorization: the header of that name, where the server wants one.
        graph: the default graph of every query (SPARQL 1.1 Protocol, section 2.1.4); "" is the server's own.
    """

    url: str
    languages: tuple[str, ...] = ("en", "mul")
    spaces: Namespaces = Namespaces()
    limits: Limits = Limits()
    cache: Path | None = None
    agent: str = AGENT
    authorization: str = field(default="", repr=False)
    graph: str = ""

    def address(self) -> SplitResult:
        """The address in its parts.

        Raises:
            ConfigError: it is none that may be asked, or a language or the agent's name is none.
        """
        try:
            found = urlsplit(self.url)
            host, _ = found.hostname or "", found.port
        except ValueError as fault:
            raise ConfigError("the endpoint has no web address", where=self.url[:200]) from fault
        if found.scheme not in ("http", "https") or not _is_host(host):
            hint = "for instance https://query.wikidata.org/sparql"
            raise ConfigError("the endpoint has no web address (http or https)", where=self.url[:200], hint=hint)
        if found.username is not None or found.password is not None:
            raise ConfigError("an endpoint's address has no name or password in it", where=host)
        if not self.url.isascii() or any(ord(char) <= 32 or ord(char) == 127 for char in self.url):
            raise ConfigError("the endpoint's address has spaces or other characters that none has", where=host)
        for language in self.languages:
            if _LANGUAGE.fullmatch(language) is None:
                raise ConfigError(f"{language[:40]!r} is no language tag", hint="for instance en")
        if not self.languages:
            raise ConfigError("labels need a language", hint="for instance en")
        if not (self.agent.isascii() and self.agent.isprintable() and self.agent.strip()):
            raise ConfigError("the agent's name is no line of plain text")
        return found


def _is_host(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return _HOST.fullmatch(host) is not None
