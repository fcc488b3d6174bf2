import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError } from '../../config/config.js';

/** Where a process listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The variable that holds the port. */
  readonly portName: string;
  /** Whether the port is for operators alone. */
  readonly isPrivate: boolean;
}

/**
 * Connections that the system keeps for a busy process, if it allows as many. One that finds no place there asks again
 * after a second, whoever took the places.
 */
const backlog = 4_096;

/**
 * Listens where the configuration says.
 * @throws ConfigError when the address cannot be listened on.
 */
export async function listen(app: NestFastifyApplication, of: Address): Promise<void> {
  try {
    await app.listen({ port: of.port, host: of.host, backlog });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`${of.portName} ${of.port} is taken by another process`);
    }
    if (code === 'EACCES') {
      throw new ConfigError(`${of.portName} ${of.port} may not be used by this user`);
    }
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
      throw new ConfigError(
        `HOST ${JSON.stringify(of.host)} is not an address of this machine; set one to listen on, ` +
          'such as 127.0.0.1 or 0.0.0.0',
      );
    }
    throw error;
  }
}
