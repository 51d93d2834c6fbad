"""The block ``model:`` in imprimatur.yaml, and what else names a model's server: address, name, key, limits.

    model:
      base_url: https://openrouter.ai/api/v1   # any server that speaks OpenAI's protocol
      name: qwen/qwen3-8b                      # what the server calls the model
      key_env: OPENROUTER_API_KEY              # the environment variable with the key, or
      key_file: key.txt                        # a file with nothing else in it
      temperature: 0
      seed: 0
      fixed: true                              # false: neither of them is sent, for servers that take none
      limits:
        seconds: 60                            # for one call, tries and pauses included
        tries: 3
        answer_tokens: 1000                    # the longest answer
        tokens: 200000                         # for all calls together; no limit by default
        calls: 100                             # likewise
      price: {input: 0.30, output: 2.50, currency: USD}   # of a million tokens: costs are told beside tokens
    model: {path: models/small.gguf, threads: 1, window: 4096}   # or weights on this machine (the extra "local")

Invariants: nothing here is opened or reached; a key stands in the environment or in a file of its own, never in
imprimatur.yaml, and shows in nothing that is printed of a configuration; that a key is absent is no mistake before a
model is opened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path

from imprimatur._config_price import Price, read_price
from imprimatur._dataclasses import dataclass
from imprimatur.errors import ConfigError
from imprimatur.settings_file import Section

__all__ = ["Key", "ModelConfig", "ModelLimits", "file_key", "named_key", "read_address", "read_key", "read_model"]

_SECRET = re.compile(r"[\x21-\x7e]{1,4096}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and where it stands. ``fault`` says why there is none; the value shows in no text."""

    origin: str
    value: str = field(default="", repr=False)
    fault: str = ""

    def reveal(self) -> str:
        """The key itself.

        Raises:
            ConfigError: there is none, or it is none.
        """
        if self.fault:
            raise ConfigError(
                self.fault, where=self.origin, hint="set it, or name another with `key_env` or `key_file`"
            )
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """What a model may cost. ``seconds`` are for one call; ``tokens`` and ``calls`` for all of them together."""

    seconds: int = 60
    tries: int = 3
    answer_tokens: int | None = 1000
    tokens: int | None = None
    calls: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """A model: behind an address, or weights in a file. One of ``base_url`` and ``path`` is given, or neither yet.

    Temperature, seed and the longest answer are left to the server where they are None.
    """

    base_url: str | None = None
    name: str | None = None
    path: Path | None = None
    key: Key | None = None
    temperature: Fraction | None = _ZERO
    seed: int | None = 0
    limits: ModelLimits = field(default_factory=ModelLimits)
    price: Price | None = None
    threads: int = 1
    window: int = 4096
    where: str = "model"


def read_model(part: Section, folder: Path, environ: Mapping[str, str]) -> ModelConfig | None:
    """The block; None where it is absent. Raises the section's error for whatever is wrong with it."""
    if not part.values:
        return None
    base_url, path = read_address(part, "base_url"), part.text("path")
    if base_url is not None and path is not None:
        raise part.fault("path", "a model has a `base_url` or a `path`, not both", hint="leave one of them out")
    fixed = part.flag("fixed", True)
    temperature = part.share("temperature", _ZERO, high=Fraction(2))
    seed = part.integer("seed", 0, low=0, high=(1 << 31) - 1)
    made = ModelConfig(
        base_url=base_url,
        name=part.text("name"),
        path=None if path is None else folder / Path(path).expanduser(),
        key=read_key(part, folder, environ),
        temperature=temperature if fixed else None,
        seed=seed if fixed else None,
        limits=_limits(part.section("limits")),
        price=read_price(part.section("price")),
        threads=part.integer("threads", 1, low=1, high=256),
        window=part.integer("window", 4096, low=256, high=1 << 20),
        where=f"{part.where}: model",
    )
    part.close()
    return made


def _limits(part: Section) -> ModelLimits:
    made = ModelLimits(
        seconds=part.integer("seconds", 60, low=1, high=3600),
        tries=part.integer("tries", 3, low=1, high=10),
        answer_tokens=part.integer("answer_tokens", 1000, low=1, high=1 << 20),
        tokens=_budget(part, "tokens"),
        calls=_budget(part, "calls"),
    )
    part.close()
    return made


def _budget(part: Section, key: str) -> int | None:
    part.known.add(key)
    return part.integer(key, 1, low=1, high=1 << 40) if part.values.get(key) is not None else None


def read_address(part: Section, key: str) -> str | None:
    """The base address of a server, without the slash at its end."""
    value = part.text(key)
    if value is None:
        return None
    if not re.fullmatch(r"https?://[^/\s?#]+[^\s?#]*", value):
        hint = "it starts with http:// or https:// and has no `?`, for instance http://localhost:8000/v1"
        raise part.fault(key, "is not the address of a server", hint=hint)
    if "@" in value.split("/", 3)[2]:
        raise part.fault(key, "has a user name in it", hint="name the key with `key_env` or `key_file`")
    return value.rstrip("/")


def read_key(part: Section, folder: Path, environ: Mapping[str, str]) -> Key | None:
    """The key that a section names by ``key_env`` or ``key_file``; None where it names none."""
    if part.values.get("api_key") is not None:
        hint = "name it: `key_env: VARIABLE` for one in the environment, `key_file: FILE` for one in a file"
        raise part.fault("api_key", "a key does not stand in this file", hint=hint)
    variable, file = part.text("key_env"), part.text("key_file")
    if variable is not None and file is not None:
        raise part.fault("key_file", "a key is in the environment or in a file, not both", hint="leave one of them out")
    if variable is not None:
        if not _VARIABLE.fullmatch(variable):
            # Whoever puts the key itself here must not find it in the error.
            raise part.fault(
                "key_env", "is not the name of an environment variable", hint="for instance OPENAI_API_KEY"
            )
        return named_key(variable, environ)
    return None if file is None else file_key(folder / Path(file).expanduser())


def named_key(variable: str, environ: Mapping[str, str]) -> Key:
    """The key in an environment variable."""
    origin = f"the environment variable {variable}"
    value = environ.get(variable, "").strip()
    if not value:
        return Key(origin, fault="no key is there")
    return _sound(origin, value)


def file_key(path: Path) -> Key:
    """The key in a file that holds nothing else; white space around it is left out."""
    origin = f"the file {path}"
    try:
        with path.open("rb") as file:
            value = file.read(8192).decode("ascii").strip()
    except OSError as fault:
        return Key(origin, fault=f"the key cannot be read: {fault.strerror}")
    except ValueError:
        return Key(origin, fault="what is there is no key")
    return _sound(origin, value)


def _sound(origin: str, value: str) -> Key:
    return Key(origin, value) if _SECRET.fullmatch(value) else Key(origin, fault="what is there is no key")
