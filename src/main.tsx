import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/App.tsx'
import { restoreSelection } from './store/selection.ts'

void restoreSelection()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(<App />)
