"""Names that the made records are filled with."""

from __future__ import annotations

OBJECTS = tuple(
    "Harbour Mill Aurora Linden Falcon Cedar Orion Maple Delta Granite Juniper Sable Violet Tundra Quartz Meadow "
    "Cobalt Ember Willow Summit Lagoon Pine Atlas Coral Basalt Heron Clover Zephyr Onyx Birch Kestrel Saffron "
    "Marlin Opal Thistle Comet Raven Larch Beacon Pebble Nimbus Fjord Tulip Garnet Osprey Vesper Hazel Anchor".split()
)
"""What a project, an order, a machine, a plan or a file may be called."""

PEOPLE = (
    "Marta Olsen", "Ines Duarte", "Tom Becker", "Yuki Arai", "Femke Vos", "Omar Haddad", "Lena Kovac",
    "Paul Ngata", "Rosa Medina", "Jan Novak", "Aoife Byrne", "Dana Levi", "Priya Nair", "Luca Conti",
    "Grace Adeyemi", "Henrik Lund", "Mei Tan", "Sofia Marin", "Karim Aziz", "Nora Fischer", "Diego Rios",
    "Hanna Virtanen", "Pieter Smit", "Chloe Martin",
)  # fmt: skip

PERSON_KINDS = frozenset(
    {"employee", "tenant", "patient", "customer", "member", "contact", "user", "guest", "student"}
)
"""Kinds of objects that are people."""

CITIES = tuple(
    "Porto Oslo Lyon Graz Turin Gdansk Bergen Ghent Malmo Zagreb Leeds Cork Bilbao Basel Tampere Split Nantes Utrecht "
    "Seville Bremen Galway Lausanne Krakow Trieste".split()
)

COUNTED = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Small counts in words."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
