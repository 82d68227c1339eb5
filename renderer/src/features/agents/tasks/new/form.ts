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
} from '#renderer/app/run-form/form.ts'

/** The form as typed. */
export interface TaskForm extends RunForm {
  prompt: string
  title: string
  source: 'folder' | 'url' | 'empty'
  directory: string
  repositoryUrl: string
  /** Folder of the Harbor task, if a Harbor task is repeated. */
  harbor: string
  /** A Docker image, or `HOST`. */
  image: string
  permissions: TaskRequest['permissions']
  verify: string
  setup: 'found' | 'none' | 'own'
  setupCommands: string
}
/** The value of `image` for the programs of this machine. */
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

/** Fills in the form from an earlier run. */
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

/** What the user still has to fill in. It is shown in the plan, not as an error. */
export function missingOf(form: TaskForm): string | null {
  if (form.prompt.trim() === '') return 'Describe the task.'
  if (form.source === 'folder' && form.directory.trim() === '') return 'Enter the folder to work on, or choose an empty one.'
  if (form.source === 'url' && form.repositoryUrl.trim() === '') return 'Enter the address of the repository.'
  return missingOfRun(form)
}

/** The problems of invalid fields. */
export function problemsOf(form: TaskForm): Problems<TaskForm> {
  const problems: Problems<TaskForm> = problemsOfRun(form)
  if (form.source === 'folder' && form.directory.trim() !== '' && !form.directory.trim().startsWith('/')) {
    problems.directory = 'Enter an absolute path, such as /home/you/project.'
  }
  return problems
}

/** Null if a field is invalid or missing. */
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
    ...(form.image !== HOST && { image: form.image }),
    permissions: form.permissions,
    ...(verify !== '' && { verify }),
    ...(form.setup === 'none' && { setup: [] }),
    ...(form.setup === 'own' && { setup: linesOf(form.setupCommands) }),
  }
}
