import { serve } from '../../src/serve.js';

serve(process.env.SIMULATOR_PORT);
