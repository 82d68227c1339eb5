import { z } from 'zod'

// Before any schema is made: zod would otherwise probe `new Function`, which the page's policy refuses and reports.
z.config({ jitless: true })
