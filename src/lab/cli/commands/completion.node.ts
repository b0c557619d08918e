import type { Command, Commands } from '../command.ts';
import { isShell, SHELLS } from '../completion-script.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';

/** Prints what a shell completes commands and options by. */
export function completionCommand(allCommands: () => Promise<Commands>): Command {
  return {
    summary: 'Print what completes commands and options in a shell.',
    usage: SHELLS.join('|'),
    flags: {},
    notes: `bash: put  eval "$(tessera completion bash)"  into ~/.bashrc
zsh:  put  eval "$(tessera completion zsh)"  into ~/.zshrc, behind compinit`,
    examples: [
      'tessera completion bash > ~/.local/share/bash-completion/completions/tessera',
      'tessera completion zsh > ~/.zfunc/_tessera',
      'tessera completion fish > ~/.config/fish/completions/tessera.fish',
    ],
    async run(args) {
      const shell = onlyPositional(parseFlags(args, {}).positionals, 'a shell');
      if (!isShell(shell)) throw new UsageError(`The shell is one of ${SHELLS.join(', ')}, not "${shell}".`);
      const { completionScript } = await import('../completion-script.ts');
      process.stdout.write(completionScript(shell, await allCommands()));
    },
  };
}
