import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { RequestTracing } from './request-tracing.js';
import { NoTracing, Tracing } from './tracing.js';

const SERVICE_NAME = Symbol('service-name');

/** Traces of the process, sent to `OTEL_EXPORTER_OTLP_ENDPOINT`. */
@Global()
@Module({
  providers: [{ provide: Tracing, useClass: NoTracing }],
  exports: [Tracing],
})
export class TracingModule implements OnApplicationShutdown {
  static forProcess(process: 'api' | 'worker'): DynamicModule {
    return {
      module: TracingModule,
      providers: [
        { provide: SERVICE_NAME, useValue: `parley-${process}` },
        { provide: Tracing, inject: [Config, SERVICE_NAME], useFactory: openTracing },
        ...(process === 'api' ? [RequestTracing] : []),
      ],
    };
  }

  constructor(@Inject(Tracing) private readonly tracing: Tracing) {}

  async onApplicationShutdown(): Promise<void> {
    await this.tracing.close();
  }
}

async function openTracing(config: Config, serviceName: string): Promise<Tracing> {
  if (config.traces === null) return new NoTracing();
  // Loaded only where it is wanted: it costs memory and start-up.
  const { OpenTelemetry } = await import('./open-telemetry.js');
  const { sampleRatio } = config.traces;
  return new OpenTelemetry({ serviceName, instanceId: config.processId, sampleRatio });
}
