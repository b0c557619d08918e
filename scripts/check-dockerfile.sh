#!/usr/bin/env bash
# Runs the Dockerfile where there is no Docker: every stage is a chroot of Debian, every RUN runs in it, and at the end the service starts without a
# network, becomes healthy, and stops. As root on Debian with debootstrap; it reads the instructions that the Dockerfile has, each on one line.
#
#   scripts/check-dockerfile.sh NODE WORK
#
# NODE is an unpacked release of Node (bin/, include/, lib/node_modules/npm), which stands in for the image "node". WORK is an empty folder, where the
# stages stay to be looked at. RUN sees this machine's certificates and ~/.npmrc; they are in no stage afterwards.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
[ "${IN_NAMESPACE:-}" ] || IN_NAMESPACE=yes exec unshare --mount "$0" "$@" # mounts go when it ends
node=$(realpath "$1") work=$(realpath "$2") source=$(realpath "$(dirname "$0")/..")

suite=$(sed -n 's/^FROM node:[0-9]*-\([a-z]*\)-slim.*/\1/p' "$source/Dockerfile" | head -1)
debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/node" http://deb.debian.org/debian >"$work/debootstrap.log"
cp -a "$node"/. "$work/node/usr/local/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$work/node/usr/local/bin/npm"
chroot "$work/node" useradd --create-home node

mkdir "$work/context"
sed 's|^|./|' "$source/.dockerignore" >"$work/ignored"
tar -C "$source" -c --anchored --no-wildcards-match-slash --exclude-from="$work/ignored" . | tar -x -C "$work/context"

# Runs a line of shell in the stage.
inside() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" \
    chroot --userspec="$user" "$root" /bin/sh -c "cd $folder && $1"
}

# Runs it with what this machine needs to reach registries.
reaching() {
  mkdir -p "$root/run/machine"
  cp /etc/ssl/certs/ca-certificates.crt "$root/run/machine/"
  cp ~/.npmrc "$root/run/machine/npmrc" 2>/dev/null || touch "$root/run/machine/npmrc"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  local environment=("${environment[@]}" npm_config_userconfig=/run/machine/npmrc npm_config_cafile=/run/machine/ca-certificates.crt)
  inside "$1"
  rm -r "$root/run/machine"
}

copy() {
  local from="$work/context" to=${!#} each
  case $1 in --from=*) from="$work/${1#--from=}" && shift ;; esac
  for each in "${@:1:$#-1}"; do
    if [ -d "$from/$each" ]; then mkdir -p "$root$folder/$to" && cp -a "$from/$each/." "$root$folder/$to/"; else cp -a "$from/$each" "$root$folder/$to"; fi
  done
}

while read -r instruction rest; do
  case $instruction in '' | '#'*) continue ;; esac
  echo "== $instruction $rest"
  case $instruction in
    FROM)
      name=image folder=/ user=root environment=() command=()
      case $rest in *' AS '*) name=${rest##* AS } ;; esac
      root="$work/$name"
      cp -a "$work/node" "$root"
      mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc"
      ;;
    WORKDIR) folder=$rest && mkdir -p "$root$folder" ;;
    ENV) read -ra more <<<"$rest" && environment+=("${more[@]}") ;;
    COPY) read -ra paths <<<"$rest" && copy "${paths[@]}" ;;
    RUN) time reaching "$rest" </dev/null ;;
    USER) user=$rest ;;
    HEALTHCHECK) health=${rest#*CMD } ;;
    ENTRYPOINT | CMD) mapfile -t -O "${#command[@]}" command < <(grep -o '"[^"]*"' <<<"$rest" | tr -d '"') ;;
    VOLUME | EXPOSE) ;;
    *) echo "This script does not know $instruction." && exit 1 ;;
  esac
done <"$source/Dockerfile"

echo "== start, without a network"
export -f inside && export root folder user health start="${command[*]}" settings="${environment[*]}"
# shellcheck disable=SC2016 # the inner shell reads these
unshare --net bash -euc '
  ip link set lo up && read -ra environment <<<"$settings"
  inside "exec $start" & service=$!
  for second in $(seq 60); do sleep 1; if inside "$health"; then break; fi; done
  inside "$health" && echo "== healthy after $second s" || { kill -9 "$(pgrep -P $service)"; exit 1; }
  kill -TERM "$(pgrep -P $service)" && wait $service && echo "== it stopped by itself"'
du -sh "$work/image" --exclude=dev --exclude=proc
