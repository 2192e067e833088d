"""Views: a report or a catalogue -> what it looks like at a width. Nothing here prints."""
