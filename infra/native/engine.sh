# Functions that all engines share; sourced by up and down.
# shellcheck shell=bash

cache=${HEXCAST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hexcast/native}
folder=

say() { printf '%-9s %s\n' "$1" "$2" >&2; }
die() { echo "infra/native: $*" >&2; exit 1; }

open_folder() {
  mkdir -p "$1"
  folder=$(cd "$1" && pwd -P)
}

# NAME=default of every port. The environment has precedence, then the port that the folder used before.
ports=(POSTGRES_PORT=15432 KAFKA_PORT=19092 KAFKA_CONTROLLER_PORT=19093 TEMPORAL_PORT=17233 S3_PORT=17070 SQS_PORT=19324)

load_ports() {
  local pair name saved
  for pair in "${ports[@]}"; do
    name=${pair%%=*}
    saved=$(sed -n "s/^$name=//p" "$folder/ports" 2>/dev/null || true)
    [ -n "${!name:-}" ] || printf -v "$name" '%s' "${saved:-${pair#*=}}"
    [[ ${!name} =~ ^[0-9]+$ ]] && [ "${!name}" -ge 1 ] && [ "${!name}" -le 65535 ] || die "$name is \"${!name}\", but must be a port from 1 to 65535"
  done
}

save_ports() {
  local pair
  for pair in "${ports[@]}"; do echo "${pair%%=*}=$(eval "echo \$${pair%%=*}")"; done >"$folder/ports"
}

port_of() {
  case "$1" in
    postgres) echo "$POSTGRES_PORT" ;; kafka) echo "$KAFKA_PORT" ;; temporal) echo "$TEMPORAL_PORT" ;;
    s3) echo "$S3_PORT" ;; sqs) echo "$SQS_PORT" ;;
  esac
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The id and the start time together identify a server's process, because ids are reused. ENGINE.pid has both and the port.
started_at() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  [ "$1" != Z ] || return 1
  echo "${20}"
}

remember() { echo "$2 $(started_at "$2") $(port_of "$1")" >"$folder/$1.pid"; }
forget_process() { rm -f "$folder/$1.pid"; }

our_process() {
  local pid start
  read -r pid start _ 2>/dev/null <"$folder/$1.pid" || return 1
  [ "$(started_at "$pid")" = "$start" ] && echo "$pid"
}

is_up() {
  local port
  our_process "$1" >/dev/null || return 1
  read -r _ _ port <"$folder/$1.pid"
  [ "$port" = "$(port_of "$1")" ] || die "$1 runs in $folder on port $port; infra/native/down $folder first, to have it on $(port_of "$1")"
  answers "$port"
}

# Fails if another program uses a port, before any engine is started.
check_ports() {
  local name
  is_up "$1" && return 0
  ! our_process "$1" >/dev/null || return 0
  case "$1" in
    postgres) set -- POSTGRES_PORT ;; kafka) set -- KAFKA_PORT KAFKA_CONTROLLER_PORT ;; temporal) set -- TEMPORAL_PORT ;;
    s3) set -- S3_PORT ;; sqs) set -- SQS_PORT ;;
  esac
  for name in "$@"; do
    if answers "${!name}"; then die "port ${!name} is taken by another program; free it, or set $name to another port"; fi
  done
}

# in_background ENGINE COMMAND…: starts a command in a session of its own, so that a Ctrl-C at the terminal does not reach it.
in_background() {
  local engine=$1
  shift
  (cd "$folder" && exec setsid "$@" >>"$folder/$engine.log" 2>&1 </dev/null) &
  remember "$engine" $!
  disown
}

# wait_until SECONDS ENGINE TEST…: succeeds when the test passes in time, and fails when the process ends before.
wait_until() {
  local deadline=$((SECONDS + $1)) engine=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || return 1
    our_process "$engine" >/dev/null || return 1
    sleep 0.2
  done
}

stop_engine() {
  local engine=$1 signal=$2 pid deadline
  if ! pid=$(our_process "$engine"); then
    forget_process "$engine"
    return 0
  fi
  say "$engine" "stopping"
  if [ "$signal" = TERM ] && declare -F "stop_$engine" >/dev/null; then "stop_$engine" "$pid" || true
  elif [ "$signal" = KILL ] && declare -F "kill_$engine" >/dev/null; then "kill_$engine" "$pid" || true
  else kill "-$signal" "$pid" 2>/dev/null || true; fi
  deadline=$((SECONDS + 30))
  while our_process "$engine" >/dev/null; do
    if [ $SECONDS -ge $deadline ]; then
      say "$engine" "does not stop; killing it"
      kill -KILL "$pid" 2>/dev/null || true
      deadline=$((SECONDS + 30))
    fi
    sleep 0.1
  done
  forget_process "$engine"
  say "$engine" "stopped"
}

# random_word LENGTH
random_word() { LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c "$1" || true; }

need() { command -v "$1" >/dev/null || die "the command $1 is not installed: $2"; }
