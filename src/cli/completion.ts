import type { Command, Commands } from './command.node.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function isShell(name: string): name is Shell {
  return SHELLS.some((each) => each === name);
}

interface Word {
  readonly word: string;
  readonly about: string;
}

interface Place {
  readonly given: string;
  readonly words: readonly Word[];
  readonly options: readonly Word[];
}

export function completionScript(shell: Shell, commands: Commands): string {
  return { bash, zsh, fish }[shell](placesOf(commands));
}

const HELP: Word = { word: '--help', about: 'its options and examples' };

/** Longest first. */
function placesOf(commands: Commands): Place[] {
  const names = Object.keys(commands);
  const given = new Set(names.flatMap((name) => [name, name.split(' ')[0], '']));
  return [...given]
    .sort((a, b) => b.split(' ').length - a.split(' ').length || b.length - a.length)
    .map((place) => {
      const below = names.filter((name) => place === '' || name.startsWith(`${place} `));
      const next = below.map((name) => name.slice(place === '' ? 0 : place.length + 1).split(' ')[0]);
      const own = Object.hasOwn(commands, place) ? optionsOf(commands[place]) : [];
      return {
        given: place,
        words: [...new Set(next)].map((word) => {
          const name = `${place} ${word}`.trim();
          const further = names
            .filter((each) => each.startsWith(`${name} `))
            .map((each) => each.slice(name.length + 1));
          return { word, about: Object.hasOwn(commands, name) ? commands[name].summary : further.join(', ') };
        }),
        options: place === '' ? [HELP, { word: '--version', about: 'the version' }] : [...own, HELP],
      };
    });
}

/** Benchmark commands list their options only in `usage`. */
function optionsOf({ flags, usage }: Command): Word[] {
  const told = [...usage.matchAll(/--[a-z][\w-]*/g)].map(([word]) => word);
  const all = new Map(told.map((word) => [word, '']));
  for (const [name, { about }] of Object.entries(flags)) all.set(`--${name}`, about);
  return [...all].map(([word, about]) => ({ word, about }));
}

function bash(places: readonly Place[]): string {
  const list = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');
  const cases = places.map(
    ({ given, words, options }) =>
      `    ${given === '' ? '""' : `"${given} "*`}) words="${list(words)}" options="${list(options)}" names="${given}" ;;`,
  );
  return `# Completes tessera in bash: eval "$(tessera completion bash)"
_tessera() {
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

function zsh(places: readonly Place[]): string {
  const list = (words: readonly Word[]) =>
    words.map(({ word, about }) => quoted(about === '' ? word : `${word}:${about}`)).join(' ');
  const cases = places.map(
    ({ given, words, options }) => `    ${given === '' ? '""' : `"${given} "*`})
      words_=(${list(words)})
      options_=(${list(options)})
      names=${quoted(given)} ;;`,
  );
  return `#compdef tessera
_tessera() {
  local names=""
  local -a words_ options_
  local given="\${(j: :)words[2,CURRENT-1]}"
  case "\${given:+$given }" in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options_
  else
    [[ $given == $names ]] && (( $#words_ )) && _describe command words_
    [[ -n $given ]] && _files
  fi
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ given, words, options }) => {
    const about = (text: string) => (text === '' ? '' : ` -d ${quotedForFish(text)}`);
    const exactly = quotedForFish(`__tessera_given exactly ${given}`.trim());
    const longer = places.filter((other) => given !== '' && other.given.startsWith(`${given} `));
    const tests = [
      `__tessera_given behind ${given}`,
      ...longer.map((other) => `not __tessera_given behind ${other.given}`),
    ];
    const behind = given === '' ? exactly : quotedForFish(tests.join('; and '));
    return [
      ...words.map(
        (each) => `complete -c tessera -n ${exactly} ${given === '' ? '-f ' : ''}-a ${each.word}${about(each.about)}`,
      ),
      ...options.map((each) => `complete -c tessera -n ${behind} -l ${each.word.slice(2)}${about(each.about)}`),
    ];
  });
  return `# Completes tessera in fish.
function __tessera_given
    set -l given (commandline -opc)[2..-1]
    set -l names $argv[2..-1]
    test $argv[1] = exactly; and test "$given" = "$names"; and return
    test $argv[1] = behind; and string match -q -- "$names *" "$given "
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quotedForFish(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
