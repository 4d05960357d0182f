import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { root } from '../../../scripts/programs.ts'

/** The folder of the build. */
export const floorDist = join(root, 'node_modules', '.cache', 'bench', 'floor')

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: floorDist, emptyOutDir: true, target: 'es2023' },
})
