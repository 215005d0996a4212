# An SQS-compatible server (ElasticMQ) from Maven Central, for the queue with notices of new upstream objects.
# shellcheck shell=bash

sqs_jars=$cache/elasticmq-1.6.14

prepare_sqs() {
  local work
  need java "Java 17 or later runs ElasticMQ"
  [ ! -f "$sqs_jars/complete" ] || return 0
  need mvn "Maven fetches ElasticMQ"
  say sqs "fetching ElasticMQ 1.6.14 from Maven Central (37 MB)"
  rm -rf "$sqs_jars"
  mkdir -p "$sqs_jars"
  work=$(mktemp -d)
  cp "$here/sqs.pom.xml" "$work/pom.xml"
  (cd "$work" && mvn -q -B dependency:copy-dependencies -DoutputDirectory="$sqs_jars") >>"$folder/sqs.log" 2>&1 ||
    { tail -n 5 "$folder/sqs.log" >&2; die "Maven could not fetch ElasticMQ; see $folder/sqs.log"; }
  rm -rf "$work"
  touch "$sqs_jars/complete"
}

start_sqs() {
  cat >"$folder/sqs.conf" <<CONF
include classpath("application.conf")
node-address { protocol = http, host = "127.0.0.1", port = $SQS_PORT, context-path = "" }
rest-sqs { enabled = true, bind-port = $SQS_PORT, bind-hostname = "127.0.0.1" }
rest-stats { enabled = false }
queues { upstream { defaultVisibilityTimeout = 5 seconds, receiveMessageWait = 0 seconds } }
CONF
  in_background sqs java -Xmx256m -Dconfig.file="$folder/sqs.conf" -cp "$sqs_jars/*" org.elasticmq.server.Main
  wait_until 60 sqs answers "$SQS_PORT"
}

# The server stores nothing on disk, and TERM takes 19 s.
stop_sqs() { kill -KILL "$1"; }

settings_sqs() { echo "UPSTREAM_QUEUE_URL=http://127.0.0.1:$SQS_PORT/000000000000/upstream"; }
