/** Security headers. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Adds security headers: same-origin content only, no inline scripts, and HSTS if `publicUrl` is https. */
export async function addSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      // helmet's defaults upgrade http to https, which an installation in a local network may not support.
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Inline style attributes are safe here, because styles cannot load anything from elsewhere.
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
