/** The program of the server. It loads the rest once Node resolves its modules quickly. */
import './core/resolveQuickly.ts'

await import('./serve.ts')
