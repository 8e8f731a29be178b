-- Once more for installations that matched between 0225 and 0247.
update matching_cursors set changes_seen = 0;
