-- Packages of NuGet, Go and actions of GitHub are looked up in small letters now: all software is matched anew.
update matching_cursors set changes_seen = 0;
