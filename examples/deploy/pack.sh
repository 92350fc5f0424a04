#!/bin/sh
# Packs the packages of this checkout as they would be published, into packages/ or the folder that is given.
# `npm run build` first makes what is in them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/packages}
cd "$here/../.."
mkdir -p "$to"
rm -f "$to"/linker-*.tgz
npm run --silent pack -- "$to" @linker/sdk @linker/runtime \
  @linker/adapter-shopa-v1 @linker/adapter-mkta-v1 @linker/adapter-mktb-v1 >/dev/null
