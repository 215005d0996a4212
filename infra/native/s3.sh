# An S3 server over a folder (versitygw), built from its Go module.
# shellcheck shell=bash
source "$here/temporal.sh" # go_tool

s3_version=v1.8.0
s3_bin=$cache/versitygw-$s3_version/versitygw

prepare_s3() { go_tool s3 "github.com/versity/versitygw/cmd/versitygw@$s3_version" "$s3_bin"; }

start_s3() {
  local -a where=("$folder/s3")
  mkdir -p "$folder/s3/hexcast"
  # Extended attributes of a file change together with its bytes. If the file system has none, they are stored in another folder,
  # and a reader during a replacement may see new bytes with an old checksum.
  if [ -d "$folder/metadata.s3" ] || ! has_attributes; then
    mkdir -p "$folder/metadata.s3"
    where=(--sidecar "$folder/metadata.s3" "$folder/s3")
  fi
  [ -f "$folder/s3.keys" ] || (umask 077 && echo "hexcast $(random_word 32)" >"$folder/s3.keys")
  local key secret
  read -r key secret <"$folder/s3.keys"
  ROOT_ACCESS_KEY=$key ROOT_SECRET_KEY=$secret in_background s3 \
    "$s3_bin" --port "127.0.0.1:$S3_PORT" --health /health --quiet posix "${where[@]}"
  wait_until 30 s3 s3_healthy
}

has_attributes() {
  python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.hexcast", b"1")' "$folder/s3" 2>/dev/null ||
    setfattr -n user.hexcast -v 1 "$folder/s3" 2>/dev/null
}

s3_healthy() {
  local line
  exec 3<>"/dev/tcp/127.0.0.1/$S3_PORT" || return 1
  printf 'GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
  read -r -t 3 line <&3
  exec 3>&-
  [[ $line == HTTP/*\ 200* ]]
}

settings_s3() {
  local key secret
  read -r key secret <"$folder/s3.keys"
  echo "OBJECTS_URL=s3://hexcast/tiles"
  echo "S3_ENDPOINT=http://127.0.0.1:$S3_PORT"
  echo "AWS_REGION=us-east-1"
  echo "AWS_ACCESS_KEY_ID=$key"
  echo "AWS_SECRET_ACCESS_KEY=$secret"
}
