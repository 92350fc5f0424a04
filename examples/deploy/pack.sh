#!/bin/sh
# Packs the packages of this checkout as they would be published, into packages/ or the folder that is given.
# `npm run build` first makes what is in them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/packages}
cd "$here/../.."
mkdir -p "$to"
rm -f "$to"/linker-*.tgz
npm pack --silent --ignore-scripts --pack-destination "$to" --workspace sdk --workspace runtime \
  --workspace plugins/adapter-shopa-v1 --workspace plugins/adapter-mkta-v1 --workspace plugins/adapter-mktb-v1
