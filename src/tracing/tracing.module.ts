import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { RequestTracing } from './request-tracing.js';

const CLOSE_TRACING = Symbol('close-tracing');

/** Traces of the process, sent to `OTEL_EXPORTER_OTLP_ENDPOINT`. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  static forProcess(process: 'api' | 'worker'): DynamicModule {
    const open = (config: Config) => openTracing(config, `parley-${process}`);
    return {
      module: TracingModule,
      providers: [
        { provide: CLOSE_TRACING, inject: [Config], useFactory: open },
        ...(process === 'api' ? [RequestTracing] : []),
      ],
    };
  }

  constructor(@Inject(CLOSE_TRACING) private readonly close: () => Promise<void>) {}

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

async function openTracing(config: Config, serviceName: string): Promise<() => Promise<void>> {
  if (config.traces === null) return async () => {};
  // Loaded only where it is wanted: it costs memory and start-up.
  const { openTelemetry } = await import('./open-telemetry.js');
  const { sampleRatio } = config.traces;
  return openTelemetry({ serviceName, instanceId: config.processId, sampleRatio });
}
