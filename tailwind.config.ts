import type { Config } from 'tailwindcss'

/** Colours by purpose. Their light and dark values are in src/ui/theme.css. */
const colours = [
  'bg',
  'panel',
  'sunk',
  'line',
  'ink',
  'ink2',
  'ink3',
  'accent',
  'accent-ink',
  'accent-soft',
  'ring',
  'ok',
  'ok-soft',
  'busy',
  'busy-soft',
  'warn',
  'warn-soft',
  'bad',
  'bad-soft',
  'mute-soft',
]

export default {
  content: ['./index.html', './src/**/*.{ts,tsx}'],
  darkMode: 'selector',
  theme: {
    extend: {
      colors: Object.fromEntries(colours.map(name => [name, `var(--${name})`])),
      fontFamily: {
        sans: ['Inter Variable', 'system-ui', 'sans-serif'],
        mono: ['JetBrains Mono Variable', 'ui-monospace', 'monospace'],
      },
    },
  },
} satisfies Config
