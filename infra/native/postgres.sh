# PostgreSQL with PostGIS, from Debian's packages. Its programs refuse to run as root, so that root runs them as the user postgres.
# shellcheck shell=bash

postgres_bin() {
  local bin version
  for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
    version=$(basename "$(dirname "$bin")")
    [ -x "$bin/initdb" ] && [ -f "/usr/share/postgresql/$version/extension/postgis.control" ] && { echo "$bin"; return 0; }
  done
  return 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo -n "$@"
  else die "PostgreSQL with PostGIS is not installed, and installing needs root: apt-get install postgresql-postgis"; fi
}

prepare_postgres() {
  local package
  ! postgres_bin >/dev/null || return 0
  need apt-get "this script installs Debian packages; elsewhere install PostgreSQL with PostGIS yourself and set DATABASE_URL"
  say postgres "installing PostGIS from Debian's packages"
  {
    as_root apt-get update
    package=$(apt-cache search --names-only '^postgresql-[0-9]+-postgis-3$' | awk '{print $1}' | sort -rV | head -n 1)
    [ -n "$package" ] || die "Debian's package lists have no postgresql-NN-postgis-3"
    # Otherwise Debian would start a cluster of its own on port 5432.
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
      as_root mkdir -p /etc/postgresql-common
      echo 'create_main_cluster = false' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold \
      "$package" "${package/-postgis-3/}"
  } >>"$folder/postgres.log" 2>&1 || { tail -n 5 "$folder/postgres.log" >&2; die "apt-get could not install PostGIS; see $folder/postgres.log"; }
  postgres_bin >/dev/null || die "the packages are installed, but there is no initdb with PostGIS under /usr/lib/postgresql"
}

# The user postgres may not enter a folder of root. The capability lets it enter without opening the folder to other users.
as_postgres() {
  if [ "$(id -u)" != 0 ]; then "$@"
  elif runuser -u postgres -- test -x "$folder" 2>/dev/null; then runuser -u postgres -- "$@"
  else setpriv --reuid postgres --regid postgres --init-groups --inh-caps=+dac_override --ambient-caps=+dac_override "$@"; fi
}

start_postgres() {
  local bin data="$folder/postgres" secret="$folder/postgres.password"
  bin=$(postgres_bin)
  touch "$folder/postgres.log"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder/postgres.log"; fi
  if [ ! -f "$data/ready" ]; then
    rm -rf "$data"
    mkdir -m 700 "$data"
    (umask 077 && random_word 32 >"$secret")
    if [ "$(id -u)" = 0 ]; then chown postgres "$data" && chown postgres "$secret"; fi
    as_postgres "$bin/initdb" -D "$data" -U postgres --pwfile="$secret" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 >>"$folder/postgres.log" 2>&1 || return 1
    cat >>"$data/postgresql.conf" <<'CONF'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 128MB
timezone = 'UTC'
log_min_duration_statement = 1000
CONF
  fi
  # If no process reaps orphans, a killed server stays a zombie, which PostgreSQL regards as running.
  if [ -f "$data/postmaster.pid" ] && ! started_at "$(head -n 1 "$data/postmaster.pid")" >/dev/null; then rm -f "$data/postmaster.pid"; fi
  as_postgres "$bin/pg_ctl" -D "$data" -l "$folder/postgres.log" -o "-p $POSTGRES_PORT" -w -t 60 start >/dev/null || return 1
  remember postgres "$(as_postgres head -n 1 "$data/postmaster.pid")"
  if [ ! -f "$data/ready" ]; then
    postgres_sql postgres "create role hexcast login password '$(cat "$secret")'" || return 1
    postgres_sql postgres "create database hexcast owner hexcast" || return 1
    postgres_sql hexcast "create extension postgis" || return 1
    as_postgres touch "$data/ready"
  fi
}

postgres_sql() {
  PGPASSWORD=$(cat "$folder/postgres.password") "$(postgres_bin)/psql" -X -q -v ON_ERROR_STOP=1 \
    -h 127.0.0.1 -p "$POSTGRES_PORT" -U postgres -d "$1" -c "$2" >>"$folder/postgres.log" 2>&1
}

# INT is the fast shutdown: TERM would wait until every client has disconnected.
stop_postgres() { kill -INT "$1"; }

# A power cut ends the server and its child processes at once.
kill_postgres() {
  # shellcheck disable=SC2046
  kill -KILL "$1" $(pgrep -P "$1") 2>/dev/null || true
}

settings_postgres() { echo "DATABASE_URL=postgres://hexcast:$(cat "$folder/postgres.password")@127.0.0.1:$POSTGRES_PORT/hexcast"; }
