import type { Commands } from './command.node.ts';

export const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];

export function isShell(name: string): name is Shell {
  return SHELLS.some((each) => each === name);
}

/** Completes commands and options behind each beginning of a line, the longest first. */
export function completionScript(shell: Shell, commands: Commands): string {
  const names = Object.keys(commands);
  const places = [...new Set(names.flatMap((name) => [name, name.split(' ')[0], '']))].sort(
    (a, b) => b.split(' ').length - a.split(' ').length || b.length - a.length,
  );
  const cases = places.map((place) => {
    const below = names.filter((name) => place === '' || name.startsWith(`${place} `));
    const words = new Set(below.map((name) => name.slice(place === '' ? 0 : place.length + 1).split(' ')[0]));
    const options = place === '' ? ['--help', '--version'] : [...optionsOf(commands, place), '--help'];
    const pattern = place === '' ? '""' : `"${place} "*`;
    return `    ${pattern}) words="${[...words].join(' ')}" options="${options.join(' ')}" names="${place}" ;;`;
  });
  return `# Completes tessera in ${shell}: eval "$(tessera completion ${shell})"
${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_tessera() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" options="" names=""
  local given="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "\${given:+$given }" in
${cases.join('\n')}
  esac
  [[ $given == "$names" ]] || words=""
  [[ $current == -* ]] && words="$options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _tessera tessera
`;
}

/** Some benchmark commands list their options only in `usage`. */
function optionsOf(commands: Commands, name: string): string[] {
  if (!Object.hasOwn(commands, name)) return [];
  const { flags, usage } = commands[name];
  const told = usage.match(/--[a-z][\w-]*/g) ?? [];
  return [...new Set([...told, ...Object.keys(flags).map((flag) => `--${flag}`)])];
}
