"""Programs written out as graphs: the marks that classes carry for it. Nothing is written out here."""
