# Sourced by script/run and script/test: makes a fresh machine ready. npm packages come from the registry; system packages
# are installed where this is Debian and we are root, and named where they are missing elsewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# need COMMAND DEBIAN_PACKAGE WHAT_FOR
missing_packages=()
need() {
  command -v "$1" >/dev/null 2>&1 && return
  missing_packages+=("$2")
  missing_for="${missing_for:-}  $1 (Debian package $2): $3"$'\n'
}

install_system_packages() {
  ((${#missing_packages[@]})) || return 0
  if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing ${missing_packages[*]} …"
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing_packages[@]}" >/dev/null
  else
    printf 'These programs are not installed:\n%s' "$missing_for" >&2
    [ "${CI:-}" = true ] && exit 1
    echo 'What needs them is skipped, and says so.' >&2
  fi
}

install_npm_packages() {
  command -v npm >/dev/null 2>&1 || { echo 'npm is not installed: install Node 24 (it brings npm), then run this again.' >&2; exit 1; }
  # npm leaves this file behind; it is newer than the lock file when what is installed is what the lock file says.
  if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    # Not npm ci: it refuses a lock file without the binaries for other platforms, which not every registry carries.
    npm install --no-audit --no-fund --loglevel=error
    touch node_modules/.package-lock.json
  fi
  # node@24 is a development dependency: scripts run on it wherever the machine's own Node is older.
  PATH="$PWD/node_modules/.bin:$PATH"
  export PATH
}
