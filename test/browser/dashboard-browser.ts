import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { checkout, NpmStart, type Run, temporaryFolder } from '../support/npm-start.js';
import { until } from '../support/until.js';
import { findChromium } from './chromium.mjs';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The two sizes that every page is looked at in. */
export const widths = { wide: 1_440, narrow: 390 } as const;
export type Width = keyof typeof widths;

/** Each theme in each size; in CI, each theme and each size once. */
export const looks = themes
  .flatMap((theme) => (Object.keys(widths) as Width[]).map((width) => ({ theme, width })))
  .filter(({ theme, width }) => !process.env['CI'] || (theme === 'light') === (width === 'wide'));

const screenshots = join(checkout, 'test/browser/screenshots');

/** What `npm start` runs, and a browser before it. */
export class DashboardBrowser {
  private constructor(
    readonly started: NpmStart,
    readonly run: Run,
    private readonly browser: Browser,
  ) {}

  /** @param env settings that differ from the defaults. */
  static async start(env: Record<string, string> = {}): Promise<DashboardBrowser> {
    const ports = { PORT: '0', WORKER_PORT: '0', SIMULATOR_PORT: '0' };
    const started = new NpmStart(checkout, temporaryFolder(), { ...ports, ...env });
    try {
      const browser = await chromium.launch({
        executablePath: findChromium() ?? '',
        // As root, which containers run as, there is no sandbox.
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      });
      return new DashboardBrowser(started, await started.ready(120_000), browser);
    } catch (error) {
      await started.destroy();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.started.destroy();
  }

  /** A window of its own, signed in unless it is said otherwise. */
  async open(
    options: { theme?: Theme; width?: Width; signedIn?: boolean; timezoneId?: string } = {},
  ): Promise<Visit> {
    const { theme = 'light', width = 'wide', signedIn = true, timezoneId } = options;
    const context = await this.browser.newContext({
      baseURL: new URL(this.run.dashboard_url).origin,
      viewport: { width: widths[width], height: width === 'wide' ? 900 : 844 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      timezoneId,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(15_000);
    const visit = new Visit(context, await context.newPage(), { theme, width });
    await visit.watch();
    if (signedIn) {
      const { admin_email: email, admin_password: password } = this.run;
      const answer = await context.request.post('/api/v1/dashboard/session', {
        data: { email, password },
      });
      if (!answer.ok()) throw new Error(`could not sign in: ${await answer.text()}`);
    }
    return visit;
  }

  /** A call of the external API, as a program makes it. */
  async call(key: string, path: string, body?: object): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.run.api_url}/api/v1/external${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
}

/** One window, with what went wrong in it. */
export class Visit {
  /** Violations of the content security policy, and exceptions of the page. */
  readonly faults: string[] = [];

  /** The paths that the page has posted to, the latest last. */
  readonly posts: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly look: { readonly theme: Theme; readonly width: Width },
  ) {}

  async watch(): Promise<void> {
    this.page.on('pageerror', (error) => this.faults.push(error.message));
    this.page.on('request', (request) => {
      if (request.method() === 'POST') this.posts.push(new URL(request.url()).pathname);
    });
    await this.page.exposeFunction('tellViolation', (text: string) => this.faults.push(text));
    await this.page.addInitScript(`
      document.addEventListener('securitypolicyviolation', (event) => {
        window.tellViolation('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
      });
    `);
  }

  /** Opens a page of the dashboard and waits until it shows what it is about. */
  async go(path: string): Promise<void> {
    await this.page.goto(`/dashboard${path}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.settled();
  }

  /** Waits until nothing says that it is being loaded. */
  async settled(): Promise<void> {
    // Not waitForFunction: it evaluates texts in the page, which the page's policy forbids.
    await until(() =>
      this.page.evaluate<boolean>(
        `!document.querySelector('[aria-busy="true"], [data-loading="true"]') &&
          document.fonts.status === 'loaded'`,
      ),
    );
  }

  /** Reads from the dashboard's REST with the session of the window. */
  async get(path: string): Promise<any> {
    const answer = await this.context.request.get(`/api/v1/dashboard${path}`);
    return ((await answer.json()) as { data: any }).data;
  }

  /** Changes something through the dashboard's REST. */
  async post(path: string, data: object = {}, method = 'POST'): Promise<any> {
    const answer = await this.context.request.fetch(`/api/v1/dashboard${path}`, { method, data });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: any }).data;
  }

  /** The same with PUT. */
  put(path: string, data: object): Promise<any> {
    return this.post(path, data, 'PUT');
  }

  /** The accessibility faults that axe finds: `rule: element`. */
  async barriers(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.page })
      // Four times as fast without a second page for frames of other origins, which we do not have, and
      // without a report on everything that passes.
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .analyze();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }

  /** By how many pixels the page can be scrolled sideways. */
  overhang(): Promise<number> {
    return this.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  }

  /** Keeps a picture of the whole page for people to look at. In CI nobody does. */
  async photograph(name: string): Promise<void> {
    if (process.env['CI']) return;
    mkdirSync(screenshots, { recursive: true });
    const { theme, width } = this.look;
    await this.page.screenshot({
      path: join(screenshots, `${name}-${theme}-${widths[width]}.png`),
      fullPage: true,
      animations: 'disabled',
    });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
