export const ALL_ROLLOUTS = { href: '/arena/rollouts', label: 'All rollouts' }
