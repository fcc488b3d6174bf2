import { ConfigError } from '../../config/config.js';
import { serversOf } from '../../config/database-servers.js';

/** Why no connection comes about: the line for the operator, and whether time alone may help. */
export class NoDatabaseError extends ConfigError {
  constructor(
    text: string,
    readonly mayHeal: boolean,
  ) {
    super(text);
  }
}

/** Codes of Node's TLS for a certificate that is not trusted, or is for another name. */
const certificateCodes =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

const escaping = 'in a URL, @ : / # ? % of a password are written as %40 %3A %2F %23 %3F %25';

/** What is wrong with `DATABASE_URL`, as far as the error of a first connection tells; null for any other error. */
export function noDatabase(error: unknown, databaseUrl: string): NoDatabaseError | null {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const url = new URL(serversOf(databaseUrl)?.urls[0] ?? 'postgres://');
  const server = url.host || 'its host';
  const user = decodeURIComponent(url.username);
  const name = decodeURIComponent(url.pathname.slice(1));
  const mistake = (text: string, mayHeal = false) =>
    new NoDatabaseError(`DATABASE_URL: ${text}`, mayHeal);
  if (code === '28P01' || /password must be a string/.test(message)) {
    return mistake(
      `PostgreSQL at ${server} refuses the password of the user ${user}; correct it (${escaping})`,
    );
  }
  if (code.startsWith('28')) {
    return mistake(
      `PostgreSQL at ${server} does not let the user ${user} in (${message}); create the user, or allow it in pg_hba.conf`,
    );
  }
  if (code === '3D000') {
    return mistake(
      `PostgreSQL at ${server} has no database ${name}; make it (createdb ${name}) or correct the name`,
    );
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return mistake(`the host ${url.hostname} is not known; correct it (${escaping})`, true);
  }
  if (/does not support SSL/.test(message)) {
    return mistake(
      `PostgreSQL at ${server} speaks no TLS; remove sslmode from the URL or switch TLS on there`,
    );
  }
  if (certificateCodes.test(code)) {
    return mistake(
      `the certificate of PostgreSQL at ${server} is not trusted (${message}); name its authority with sslrootcert in the URL`,
    );
  }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET)$/.test(code)) {
    return mistake(
      `nothing answers at ${server} (${code}); start PostgreSQL there, or correct host and port`,
      true,
    );
  }
  if (/^57P0|^53300$/.test(code)) {
    return mistake(`PostgreSQL at ${server} takes no connection (${message})`, true);
  }
  if (/timeout|terminated/i.test(message)) {
    return mistake(
      `PostgreSQL at ${server} does not answer (${message}); look at host, port and firewall`,
      true,
    );
  }
  return null;
}
