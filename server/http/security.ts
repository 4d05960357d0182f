/** Headers that keep the browser strict. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Nothing from elsewhere, no inline script; `publicUrl` decides whether browsers are held to https. */
export async function addSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      // helmet's defaults would send plain http to https, which an installation in a local network may not have.
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Inline: style attributes only; what they could leak has nowhere to go.
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
}
