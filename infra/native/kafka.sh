# Kafka in KRaft mode with one node, from Maven Central. It runs on Java 17 or later.
# shellcheck shell=bash

kafka_jars=$cache/kafka-4.1.1

prepare_kafka() {
  local work
  need java "Java 17 or later runs Kafka"
  [ ! -f "$kafka_jars/complete" ] || return 0
  need mvn "Maven fetches Kafka"
  say kafka "fetching 4.1.1 from Maven Central (54 MB)"
  rm -rf "$kafka_jars"
  mkdir -p "$kafka_jars"
  work=$(mktemp -d)
  cp "$here/kafka.pom.xml" "$work/pom.xml"
  (cd "$work" && mvn -q -B dependency:copy-dependencies -DoutputDirectory="$kafka_jars") >>"$folder/kafka.log" 2>&1 ||
    { tail -n 5 "$folder/kafka.log" >&2; die "Maven could not fetch Kafka; see $folder/kafka.log"; }
  rm -rf "$work"
  touch "$kafka_jars/complete"
}

kafka_java() { java "-Xmx$1" -XX:+UseSerialGC -Dlog4j2.configurationFile="$here/kafka.log4j2.properties" -cp "$kafka_jars/*" "${@:2}"; }

start_kafka() {
  local id user
  local -a users=()
  cat >"$folder/kafka.properties" <<CONF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$KAFKA_CONTROLLER_PORT
listeners=PLAINTEXT://127.0.0.1:$KAFKA_PORT,CONTROLLER://127.0.0.1:$KAFKA_CONTROLLER_PORT
advertised.listeners=PLAINTEXT://127.0.0.1:$KAFKA_PORT
controller.listener.names=CONTROLLER
log.dirs=$folder/kafka
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
offsets.retention.minutes=1440
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
CONF
  # Further settings of this folder, such as listeners with TLS. The last of equal names applies.
  [ ! -f "$folder/kafka.more.properties" ] || cat "$folder/kafka.more.properties" >>"$folder/kafka.properties"
  if [ ! -f "$folder/kafka/meta.properties" ]; then
    # A cluster id is 16 bytes in base64url. It begins with a letter, so that it is not read as an option.
    id=A$(random_word 20)A
    # Each line of kafka.users is a SCRAM credential: SCRAM-SHA-512=[name=NAME,password=PASSWORD].
    [ ! -f "$folder/kafka.users" ] || while read -r user; do users+=(--add-scram "$user"); done <"$folder/kafka.users"
    kafka_java 256m kafka.tools.StorageTool format -t "$id" -c "$folder/kafka.properties" "${users[@]}" >>"$folder/kafka.log" 2>&1 || return 1
  fi
  : >"$folder/kafka.log"
  in_background kafka java -Xms256m -Xmx512m -XX:+UseSerialGC -Dlog4j2.configurationFile="$here/kafka.log4j2.properties" \
    -cp "$kafka_jars/*" kafka.Kafka "$folder/kafka.properties"
  wait_until 90 kafka grep -q 'Kafka Server started' "$folder/kafka.log"
}

settings_kafka() { echo "KAFKA_BROKERS=127.0.0.1:$KAFKA_PORT"; }
