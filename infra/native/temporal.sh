# Temporal's development server, built from its Go module: the real server with SQLite as its database.
# shellcheck shell=bash

# Later tags have a replace directive, which go install refuses.
temporal_version=v1.5.1
temporal_bin=$cache/temporal-$temporal_version/temporal

prepare_temporal() { go_tool temporal "github.com/temporalio/cli/cmd/temporal@$temporal_version" "$temporal_bin"; }

# go_tool ENGINE MODULE FILE
go_tool() {
  [ ! -x "$3" ] || return 0
  need go "Go 1.26 or later builds $1"
  say "$1" "building ${2##*/} from its Go module (some minutes, once)"
  rm -rf "$(dirname "$3").unfinished"
  GOBIN="$(dirname "$3").unfinished" go install "$2" >>"$folder/$1.log" 2>&1 ||
    { tail -n 5 "$folder/$1.log" >&2; die "go could not build $2; see $folder/$1.log"; }
  rm -rf "$(dirname "$3")"
  mv "$(dirname "$3").unfinished" "$(dirname "$3")"
}

start_temporal() {
  in_background temporal "$temporal_bin" server start-dev --headless --ip 127.0.0.1 --port "$TEMPORAL_PORT" \
    --db-filename "$folder/temporal.db" --log-level warn --namespace default
  wait_until 60 temporal "$temporal_bin" operator cluster health --address "127.0.0.1:$TEMPORAL_PORT"
}

settings_temporal() {
  echo "TEMPORAL_ADDRESS=127.0.0.1:$TEMPORAL_PORT"
  echo "TEMPORAL_NAMESPACE=default"
}
