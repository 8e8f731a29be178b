#!/bin/sh
# What the image of PostgreSQL runs at its first start: a role that owns its database and is no superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$ROLLCALL_PASSWORD" --username "${POSTGRES_USER:-postgres}" <<'SQL'
create role rollcall login createrole password :'password';
create database rollcall owner rollcall encoding 'UTF8' template template0;
SQL
