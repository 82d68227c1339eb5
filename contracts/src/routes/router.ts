import { z } from 'zod'
import { folderField } from '../places.ts'
import { routesOf } from '../derive/route.ts'
import { ClientChange, GymRules, ModAnswer, ModPreview, ModelWork, ModReport, ModStep, Student } from '../entities/router.ts'

const route = routesOf('router')

export const getRouter = route.get('getRouter', '/api/router/status', {
  summary: 'Which model answers the gym agent of Claude Code, and whether our mod is installed',
  response: z.object({ student: Student.nullable(), mod: ModReport }),
})
export const previewMod = route.get('previewMod', '/api/router/mod/preview', {
  summary: 'The exact change that installing or removing the mod would make',
  query: z.object({ action: z.enum(['install', 'uninstall']).default('install') }),
  response: ModPreview,
  errors: ['mod_refused'],
})
export const installMod = route.post('installMod', '/api/router/mod/install', {
  summary: 'Install our mod into Claude Code',
  body: z.object({}),
  response: ModReport,
  errors: ['mod_refused', 'disk_full'],
})
export const uninstallMod = route.post('uninstallMod', '/api/router/mod/uninstall', {
  summary: 'Remove our mod, and nothing else',
  body: z.object({}),
  response: ModReport,
  errors: ['mod_refused'],
})
export const answerStep = route.post('answerStep', '/api/router/steps', {
  summary: 'The next answer of the model to a conversation of the gym agent; our mod calls it',
  isOwnerOnly: true,
  body: ModStep,
  response: ModAnswer,
})

const project = z.string().startsWith('/', 'must be an absolute path').max(4096)

export const showGymRules = route.post('showGymRules', '/api/router/allow-rules/preview', {
  summary: 'Rules of Claude Code with which the gym agent could run the tests of a project in place; nothing is written',
  body: z.object({ directory: folderField(project, 'Read the settings and tests of a project') }),
  response: GymRules,
  onlyLooks: true,
  errors: ['path_refused', 'client_settings_invalid', 'confirmation_required'],
})
export const setGymRules = route.post('setGymRules', '/api/router/allow-rules', {
  summary: 'Write these rules into the settings of the project, or take them back',
  body: z.object({
    directory: folderField(project, 'Let Claude Code run the tests of a project without asking', {
      title: 'Confirm rules for this project',
      always: true,
    }),
    written: z.boolean(),
  }),
  response: GymRules,
  errors: ['path_refused', 'client_settings_invalid', 'mod_refused', 'confirmation_required'],
})
export const getModFirst = route.get('getModFirst', '/api/router/mod/first', {
  summary: 'Whether a setting of Claude Code puts our mod before all others, and the exact change to the other choice',
  response: ClientChange,
  errors: ['client_settings_invalid'],
})
export const setModFirst = route.post('setModFirst', '/api/router/mod/first', {
  summary: 'Put our mod before all others, so that none of them can allow what it denies; or undo that',
  body: z.object({ on: z.boolean() }),
  response: ClientChange,
  errors: ['client_settings_invalid', 'mod_refused', 'disk_full'],
})
export const getClientProxy = route.get('getClientProxy', '/api/router/client', {
  summary: 'Whether the settings of Claude Code send all its sessions through the proxy, and the exact change to the other choice',
  response: ClientChange,
  errors: ['client_settings_invalid'],
})
export const setClientProxy = route.post('setClientProxy', '/api/router/client', {
  summary: 'Send all sessions of Claude Code through the proxy by its own settings, or take that out again',
  body: z.object({ on: z.boolean() }),
  response: ClientChange,
  errors: ['client_settings_invalid', 'disk_full'],
})
export const getModelWork = route.get('getModelWork', '/api/router/work/{id}', {
  summary: 'What a model of your own did in Claude Code',
  params: z.object({ id: z.string().max(2200) }),
  response: ModelWork,
})
