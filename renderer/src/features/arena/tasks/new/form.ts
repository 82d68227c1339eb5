import type { TaskRequest } from '#contracts/entities/task.ts'
import type { TaskDraft } from '#renderer/api/tasks.ts'
import {
  type FormProps,
  linesOf,
  missingOfRun,
  NEW_RUN,
  type Problems,
  problemsOfRun,
  type RunForm,
  runFormOf,
  settingsOf,
} from '../../run-form/form.ts'

/** The form as it is typed. */
export interface TaskForm extends RunForm {
  prompt: string
  title: string
  source: 'folder' | 'url' | 'empty'
  directory: string
  repositoryUrl: string
  /** Folder of a Harbor task, when a run of one is repeated. */
  harbor: string
  /** A Docker image, or `HOST`. */
  image: string
  permissions: TaskRequest['permissions']
  verify: string
  setup: 'found' | 'none' | 'own'
  setupCommands: string
}
/** This machine's own programs. */
export const HOST = 'host'
export type TaskFormProps = FormProps<TaskForm>

export const NEW_TASK: TaskForm = {
  ...NEW_RUN,
  prompt: '',
  title: '',
  source: 'folder',
  directory: '',
  repositoryUrl: '',
  harbor: '',
  image: HOST,
  permissions: 'sandbox',
  verify: '',
  setup: 'found',
  setupCommands: '',
}

/** The form that repeats an earlier run. */
export function formOf(request: TaskRequest): TaskForm {
  const { setup } = request
  return {
    ...NEW_TASK,
    ...runFormOf(request),
    prompt: request.prompt,
    title: request.title ?? '',
    source: request.directory !== undefined ? 'folder' : request.repositoryUrl !== undefined ? 'url' : 'empty',
    directory: request.directory ?? '',
    repositoryUrl: request.repositoryUrl ?? '',
    harbor: request.harbor ?? '',
    image: request.image ?? HOST,
    permissions: request.permissions,
    verify: request.verify ?? '',
    setup: setup === undefined ? 'found' : setup.length === 0 ? 'none' : 'own',
    setupCommands: (setup ?? []).join('\n'),
  }
}

/** What is still missing: shown in the plan, not as an error. */
export function missingOf(form: TaskForm): string | null {
  if (form.prompt.trim() === '') return 'Write what the agent is to do.'
  if (form.source === 'folder' && form.directory.trim() === '') return 'Name the folder to work on, or choose an empty one.'
  if (form.source === 'url' && form.repositoryUrl.trim() === '') return 'Enter the address of the repository.'
  return missingOfRun(form)
}

/** What is filled in wrongly, by field. */
export function problemsOf(form: TaskForm): Problems<TaskForm> {
  const problems: Problems<TaskForm> = problemsOfRun(form)
  if (form.source === 'folder' && form.directory.trim() !== '' && !form.directory.trim().startsWith('/')) {
    problems.directory = 'Write the whole path, as in /home/you/project.'
  }
  return problems
}

/** Null: something is wrong or missing. */
export function requestOf(form: TaskForm): TaskDraft | null {
  if (missingOf(form) !== null || Object.keys(problemsOf(form)).length > 0) return null
  const [title, verify] = [form.title.trim(), form.verify.trim()]
  return {
    ...settingsOf(form),
    prompt: form.prompt.trim(),
    ...(title !== '' && { title }),
    ...(form.source === 'folder' && { directory: form.directory.trim() }),
    ...(form.source === 'url' && { repositoryUrl: form.repositoryUrl.trim() }),
    ...(form.harbor !== '' && { harbor: form.harbor }),
    ...(form.image !== HOST && { backend: 'docker' as const, image: form.image }),
    permissions: form.permissions,
    ...(verify !== '' && { verify }),
    ...(form.setup === 'none' && { setup: [] }),
    ...(form.setup === 'own' && { setup: linesOf(form.setupCommands) }),
  }
}
