import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Usage } from '#platform/cli/help.ts'
import type { Config } from '../config.ts'

/** A command about the installation. It gets no context: it may run before there is a database. */
export interface MaintenanceCommand extends Usage {
  /** Undefined when the command has written all its output through `print`. */
  readonly runStandalone: (
    readConfig: () => Config,
    input: CommandInput,
    print: (text: string) => Promise<void>,
  ) => Promise<CommandResult | undefined>
}
