-- Programs and libraries of Alpine, Wolfi and Chainguard are asked for in the catalogue now, and more libraries are
-- known as a distribution's: all software is matched anew.
update matching_cursors set changes_seen = 0;
