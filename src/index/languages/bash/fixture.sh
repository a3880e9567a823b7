#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=lib/log.sh
source "$(dirname "$0")/lib/log.sh"
. ./lib/util.sh
source "${ROOT}/lib/deep/more.sh"

readonly VERSION=1.2
export PATH="$PATH:/opt/bin"
declare -A options=([a]=1)
name='function fake() { }'
alias ll='ls -l'

# Prints help.
# TODO: man page
usage() {
  cat <<EOF
function heredoc() { $VERSION
EOF
}

function build-all {
  local target=$1 count
  count=0
  if [[ -n "$target" ]]; then
    for dir in "${dirs[@]}"; do
      case "$dir" in
        src/*) while read -r line; do log_info "$line" | tee -a "$name"; done <"$dir/list" ;;
      esac
    done
  elif usage; then
    count=$((count + 1))
  fi
  inner() { echo "$target"; }
  inner
}

function both() ( build-all "$@" && usage )

trap 'rm -f "$tmp"' EXIT
build-all prod || { usage; exit 1; }
if broken; then
  echo 'unclosed
