#!/bin/sh
# The backups of compose.yaml, with the PG… variables of PostgreSQL's programs:
#   backup.sh daily          a dump a day, now if the last one is older; those older than BACKUP_DAYS go
#   backup.sh now            one dump
#   backup.sh restore NAME   brings a dump back; the database that was there stays under another name
set -eu
umask 077

folder=${BACKUP_FOLDER:-/backups}

dump() {
  name="parley-$(date -u +%Y%m%dT%H%M%SZ).dump"
  pg_dump --format=custom --file="$folder/.$name" || return 1
  mv "$folder/.$name" "$folder/$name" || return 1
  find "$folder" -name 'parley-*.dump' -mtime "+$((${BACKUP_DAYS:-14} - 1))" -delete
  echo "$name"
}

daily() {
  # One that was cut short.
  rm -f "$folder"/.parley-*.dump
  while :; do
    if [ -z "$(find "$folder" -name 'parley-*.dump' -mmin -1439)" ] && ! dump; then
      echo 'the backup failed; the next try is in ten minutes' >&2
    fi
    sleep 600
  done
}

restore() {
  file="$folder/$1"
  pg_restore --list "$file" > /dev/null
  fresh="${PGDATABASE}_restored"
  dropdb --if-exists "$fresh"
  createdb "$fresh"
  pg_restore --no-owner --exit-on-error --dbname="$fresh" "$file"
  # Of two restores in one second, too, each keeps its database.
  before="${PGDATABASE}_before_$(date -u +%Y%m%dt%H%M%S)_$$"
  # Both or none. It fails while API or workers are connected.
  psql --dbname=template1 --quiet --set=ON_ERROR_STOP=1 --single-transaction \
    --command="alter database \"$PGDATABASE\" rename to \"$before\"" \
    --command="alter database \"$fresh\" rename to \"$PGDATABASE\""
  echo "restored; the former database is now $before"
}

case "${1:-}" in
  daily) daily ;;
  now) dump ;;
  restore) restore "${2:?the name of a dump}" ;;
  *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
