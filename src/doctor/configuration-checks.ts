import { graphVersionOf, graphVersionText } from '#libs/whatsapp';
import type { Config } from '../config/config.js';
import { version } from '../config/version.js';
import { type Finding, Findings } from './finding.js';

/** Which program this is. */
export function describeProgram(): Finding[] {
  const findings = new Findings('version');
  findings.ok(`Parley ${version} on Node ${process.versions.node}`);
  return findings.list;
}

/** What a valid configuration may still lack for production. */
export function checkConfiguration(config: Config): Finding[] {
  const findings = new Findings('configuration');
  findings.ok('every variable is valid');
  const now = new Date();
  const graphVersion = graphVersionOf(config.platformBaseUrl, now);
  const text = graphVersionText(graphVersion, now);
  if (graphVersion.state === 'lives') findings.ok(text);
  else findings.warn(text);
  if (config.isPlatformSimulated) {
    findings.warn('live keys send to the simulator (PLATFORM_BASE_URL): nothing reaches WhatsApp');
  }
  if (!config.publicUrl?.startsWith('https:')) {
    findings.warn(
      'PUBLIC_URL is not an https address: Meta delivers its webhooks, and browsers keep secure cookies, only over https',
    );
  }
  if (config.publicPath) {
    findings.warn(
      `the path ${config.publicPath} of PUBLIC_URL is left out: Parley answers at ${config.publicUrl}/api and /dashboard. A proxy must not add a path`,
    );
  }
  if (config.platformVerifyToken === null) {
    findings.warn(
      'PLATFORM_VERIFY_TOKEN is missing: Meta cannot verify the address of its webhooks',
    );
  }
  if (config.webhookAllowPrivate) {
    findings.warn('WEBHOOK_ALLOW_PRIVATE is on: webhook URLs may reach into your own network');
  }
  return findings.list;
}
