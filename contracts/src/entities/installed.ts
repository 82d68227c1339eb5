import { z } from 'zod'
import { Instant } from './common.ts'

export const InstalledKind = z.enum(['skill', 'mcp_server', 'plugin', 'mod', 'hook', 'agent', 'command']).meta({ id: 'InstalledKind' })
export type InstalledKind = z.infer<typeof InstalledKind>

/** Something that is installed in the user's Claude Code. It is read on this machine, and nothing is sent. */
export const InstalledPart = z
  .object({
    id: z.string(),
    kind: InstalledKind,
    name: z.string(),
    description: z.string().nullable(),
    scope: z.enum(['user', 'project', 'local', 'managed']).meta({ description: 'local: of the user, in one project' }),
    project: z.string().nullable(),
    plugin: z.string().nullable().meta({ description: 'the plugin that brings it' }),
    file: z.string().meta({ description: 'where it is declared' }),
    from: z.string().nullable().meta({ description: 'the marketplace or who else it comes from; null: unknown' }),
    enabled: z.boolean().nullable().meta({ description: 'null: the client decides' }),
    may: z.array(z.string()).meta({ description: 'what it declares: tools, programs, addresses, names of variables; no values of these' }),
    installedAt: Instant.nullable().meta({ description: 'as the client says' }),
    firstSeenAt: Instant.meta({ description: 'when it was listed first' }),
    modifiedAt: Instant.nullable(),
    change: z.enum(['new', 'changed']).nullable().meta({ description: 'since you last marked all as seen' }),
    changedAt: Instant.nullable().meta({ description: 'when the change was noticed' }),
    uses: z
      .object({ calls: z.number().int(), sessions: z.number().int(), lastAt: Instant.nullable() })
      .nullable()
      .meta({ description: 'in captured sessions; null: sessions do not show it' }),
    problem: z.string().nullable(),
  })
  .meta({ id: 'InstalledPart' })
export type InstalledPart = z.infer<typeof InstalledPart>

export const Installed = z
  .object({
    items: z.array(InstalledPart),
    problems: z.array(z.object({ file: z.string(), message: z.string() })).meta({ description: 'files that could not be read' }),
    profiles: z.array(z.string()).meta({ description: 'folders of Claude Code that were read' }),
    projects: z.number().int().meta({ description: 'project folders that were read' }),
  })
  .meta({ id: 'Installed' })
export type Installed = z.infer<typeof Installed>

/** What `claude plugin validate` says about a plugin. */
export const PluginValidation = z
  .object({ passed: z.boolean().nullable().meta({ description: 'null: not checked' }), text: z.string() })
  .meta({ id: 'PluginValidation' })
export type PluginValidation = z.infer<typeof PluginValidation>
