"""Records of hotels, museums and camping sites with yes/no attributes, groups, hours and reviews, all invented.

``READ`` has sentences about the first row of each, with what is found in them: words, and whether the row agrees
(yes), says otherwise (no) or is silent (open). A sentence without findings says nothing that is read.
"""

from __future__ import annotations

import json
from pathlib import Path

from imprimatur.sources.tables.attributes.index import RowIndex
from imprimatur.sources.tables.attributes.reading import RowReader
from imprimatur.sources.tables.opening import open_relations

__all__ = ["CONFIG", "FILES", "READ", "reader", "write_places"]

_HOTELS = [
    {
        "name": "Hotel Anker",
        "city": "Lindau",
        "address": "12 Quay Street",
        "stars": 4.0,
        "categories": "Hotels, Spas",
        "facilities": {
            "pool": True,
            "sauna": False,
            "pets_allowed": False,
            "airportShuttle": None,
            "WiFi": "free",
            "roomService": True,
        },
        "parking": {"garage": True, "street": False, "lot": False},
        "style": {"modern": True, "rustic": False, "romantic": None},
        "reviews": [
            {"stars": 5, "text": "The lake view was wonderful and the staff were kind."},
            {"stars": 2, "text": "Our room was noisy; we had to ask for towels twice."},
        ],
    },
    {
        "name": "Pension Elsa",
        "city": "Bregenz",
        "address": "3 Hill Road",
        "stars": 3.0,
        "categories": "Hotels",
        "facilities": {
            "pool": False,
            "sauna": True,
            "pets_allowed": True,
            "airportShuttle": False,
            "WiFi": "no",
            "roomService": False,
        },
        "parking": {"garage": False, "street": False, "lot": False},
        "style": {"modern": False, "rustic": True, "romantic": True},
        "reviews": [],
    },
]
_MUSEUMS = [
    {
        "name": "Harbour Museum",
        "town": "Wick",
        "rating": 4.5,
        "opening": {
            "Monday": "closed",
            "Tuesday": "10:00-17:00",
            "Wednesday": "10:00-17:00",
            "Thursday": "10:00-20:00",
            "Friday": "10:00-17:00",
            "Saturday": "11:00-16:00",
            "Sunday": None,
        },
        "visit": {
            "cafe": True,
            "giftShop": False,
            "guidedTours": True,
            "photographyAllowed": False,
            "audioGuide": None,
        },
    }
]
_SITES = """name,region,has WiFi,dogs allowed,bread service,open fires allowed,opening hours
Birch Meadow,Fens,yes,no,yes,,8:00-20:00
Otter Bend,Marsh,no,yes,no,no,9:00-18:00
"""
FILES = {
    "hotels.json": json.dumps(_HOTELS),
    "museums.json": json.dumps(_MUSEUMS),
    "sites.csv": _SITES,
}
CONFIG = "version: 1\ntables: [hotels.json, museums.json, sites.csv]\n"

READ: dict[str, dict[str, str]] = {
    "Hotel Anker": {
        "Hotel Anker has a pool and a sauna.": "pool yes, sauna no",
        "The hotel has no pool.": "pool no",
        "The hotel has a pool but no sauna.": "pool yes, sauna yes",
        "Neither a pool nor a sauna is available.": "pool no, sauna yes",
        "It lacks a sauna, and room service is available.": "sauna yes, room service yes",
        "Pools, saunas and room service are not available.": "Pools no, saunas yes, room service no",
        "Pets are not allowed, although WiFi is free.": "Pets are not allowed yes, WiFi yes",
        "Pets are allowed.": "Pets are allowed no",
        "It does not offer Wi-Fi.": "offer Wi-Fi no",
        "There is an airport shuttle.": "airport shuttle open",
        "There is no airport shuttle.": "airport shuttle open",
        "Guests can park in the garage or on the street.": "garage yes, street no",
        "There is no street or lot parking.": "street yes, lot yes",
        "There is no parking.": "parking no",
        "Parking is available.": "Parking yes",
        "The hotel is on Quay Street, and there are lots of things to do.": "",
        "It is a rustic place.": "rustic no",
        "The style is modern yet romantic.": "is modern yes, romantic open",
        "It is not rustic.": "rustic yes",
        "The rooms are a romantic's dream.": "",
        "It has 4 stars.": "4 yes",
        "It is a five-star hotel.": "five no",
        "It has an overall rating of 5 stars.": "5 no",
        "One guest gave it 2 stars.": "2 yes",
        "It is rated 4 out of 5.": "4 yes",
        "Guests love it: 3/5.": "3 no",
        "Guests had three out of five meals there.": "three open",
        "Reviews point out some issues, like the towels.": "",
        "WiFi: free": "WiFi yes",
        "WiFi: no": "WiFi no",
        "Sauna: not available": "Sauna yes",
        "It holds a 4.0 rating.": "4.0 yes",
        "There is a full bar and a bowling alley.": "a full bar open, a bowling alley open",
        "It is rated three and a half stars.": "three and a half no",
        "A guest praised the sauna.": "sauna open",
        "Reviewers praised the lake view.": "",
        "It serves lobster and oysters.": "lobster open, oysters open",
        "The hotel features a golf course.": "a golf course open",
        "It has been praised for its staff.": "",
        "The hotel has 120 rooms.": "120 open",
        "It has been there since 1911.": "1911 open",
        # what is supposed, told of, of other times or places, or only one of several
        "If you want a sauna, look elsewhere.": "",
        "Details about the sauna are not available.": "",
        "Parking information is unavailable.": "",
        "The record does not mention a sauna.": "",
        "It is unclear whether there is a sauna.": "",
        "It will have a sauna.": "",
        "It used to have a sauna.": "",
        "It no longer has a pool.": "",
        "There may be a sauna.": "",
        "It has a sauna or a steam bath.": "a steam bath open",
    },
    "Harbour Museum": {
        "It is open from 10 am to 5 pm on Tuesday.": "10 am to 5 pm on Tuesday yes",
        "It is open from Tuesday to Friday from 10 am to 5 pm.": "Tuesday to Friday from 10 am to 5 pm no",
        "It is open until 8 pm on Thursdays.": "until 8 pm on Thursdays yes",
        "It opens at 11 am on Tuesdays.": "opens at 11 am on Tuesdays no",
        "It is closed on Mondays.": "Mondays yes",
        "It is open on Mondays.": "Mondays no",
        "It is not open on Mondays.": "Mondays yes",
        "It is not open on Tuesdays.": "Tuesdays no",
        "It is open on Sundays.": "Sundays open",
        "It is closed on Sundays.": "",
        "It is open seven days a week.": "seven days a week no",
        "On Fridays the museum is open from 9:00 to 17:00.": "Fridays the museum is open from 9:00 to 17:00 no",
        "It has extended hours on Thursdays.": "extended hours on Thursdays yes",
        "It has extended hours on weekends.": "extended hours on weekends no",
        "The hours vary.": "hours vary yes",
        "It is open daily except Mondays from 10 am to 5 pm.": "daily except Mondays from 10 am to 5 pm no",
        "It is open every day except Monday.": "every day open, Monday yes",
        "It is open every day except Tuesday.": "every day no, Tuesday no",
        "It is open from Tuesday to Saturday and closed on Mondays.": "Tuesday to Saturday yes, Mondays yes",
        "Mondays are closed.": "Mondays yes",
        "It is open every day, with Monday being closed.": "every day no, Monday yes",
        "It is open five days a week.": "five days a week yes",
        "Closing hours vary between 4 pm and 8 pm.": "hours vary yes",
        "Other attributes such as a gift shop, a cafe and an audio guide were not specified.": "",
        "There is no information about the opening on Sundays.": "",
        "It is open three days a week.": "three days a week no",
        "It is open six days a week.": "six days a week open",
        "It is open 24/7.": "24/7 no",
        "Its hours are 10 to 5 pm.": "10 to 5 pm yes",
        "Its hours are 9 am to 5 pm.": "9 am to 5 pm no",
        "The cafe has a happy hour from 3 pm to 4 pm on Tuesdays.": "cafe yes",
        "It is open.": "",
        "Photography is allowed.": "Photography is allowed no",
        "Guided tours are offered, but there is no gift shop.": "Guided tours yes, gift shop yes",
        "It has an audio guide.": "audio guide open",
        "It has a rating of 4 stars.": "4 no",
    },
    "Birch Meadow": {
        "Birch Meadow has WiFi.": "has WiFi yes",
        "Dogs are allowed.": "Dogs are allowed no",
        "There is no bread service.": "bread service no",
        "Open fires are allowed.": "Open fires are allowed open",
        "It is open from 8 am to 8 pm daily.": "8 am to 8 pm daily yes",
        "It is open until 10 pm.": "until 10 pm no",
    },
}


def write_places(folder: Path, *, config: str = CONFIG) -> Path:
    """A folder with the tables."""
    for name, content in {**FILES, "imprimatur.yaml": config}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def reader(folder: Path, name: str) -> RowReader:
    """What reads sentences beside the row of a name."""
    index = RowIndex(open_relations([write_places(folder) / each for each in FILES]))
    (named,) = index.find(name)
    return index.reader(*named.rows[0])
