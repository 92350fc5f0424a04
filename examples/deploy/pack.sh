#!/bin/sh
# Packs the packages of this checkout as they would be published, into packages/ or the folder that is given.
# `npm run build` first makes what is in them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/packages}
cd "$here/../.."
for folder in sdk runtime plugins/adapter-shopa-v1 plugins/adapter-mkta-v1 plugins/adapter-mktb-v1; do
  [ -f "$folder/dist/index.js" ] && continue
  echo "pack.sh: $folder/dist/index.js is missing; run 'npm run build' first" >&2
  exit 1
done
mkdir -p "$to"
rm -f "$to"/linker-*.tgz
npm run --silent pack -- "$to" @linker/sdk @linker/runtime \
  @linker/adapter-shopa-v1 @linker/adapter-mkta-v1 @linker/adapter-mktb-v1 >/dev/null
