export const AGENT_TABS = {
  label: 'Agents',
  tabs: [
    { id: 'tasks', href: '/agents', label: 'Tasks' },
    { id: 'batches', href: '/agents/batches', label: 'Batches' },
    { id: 'checks', href: '/agents/checks', label: 'Check a project' },
  ],
} as const
