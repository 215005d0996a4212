import type { RadarSiteDataset } from '../domain/dataset/dataset.ts'
import { radarProducts } from '../domain/weather/radar-scan.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { level3Bucket, outerSites } from './level3-bucket.ts'

const contiguous = `
  ABR ABX AKQ AMA AMX APX ARX ATX BBX BGM BHX BIS BLX BMX BOX BRO BUF BYX CAE CBW CBX CCX CLE CLX CRP CXX CYS
  DAX DDC DFX DGX DIX DLH DMX DOX DTX DVN DYX EAX EMX ENX EOX EPZ ESX EVX EWX EYX FCX FDR FDX FFC FSD FSX FTG
  FWS GGW GJX GLD GRB GRK GRR GSP GUA GWX GYX HDC HDX HGX HNX HPX HTX ICT ICX ILN ILX IND INX IWA IWX JAX JGX
  JKL JUA LBB LCH LGX LNX LOT LRX LSX LTX LVX LWX LZK MAF MAX MBX MHX MKX MLB MOB MPX MQT MRX MSX MTX MUX MVX
  MXX NKX NQA OAX OHX OKX OTX PAH PBZ PDT POE PUX RAX RGX RIW RLX RTX SFX SGF SHV SJT SOX SRX TBW TFX TLH TLX
  TWX TYX UDX UEX VAX VBX VNX VTX VWX YUX
`

/** The lowest beam of every radar, about half a gigabyte an hour for all radars. */
export const radarSites: RadarSiteDataset = {
  id: 'nexrad-l3',
  role: 'site_scans',
  title: 'Single radars',
  description: 'Reflectivity, velocities and hydrometeors of the lowest beam of every radar, after each volume scan.',
  kind: 'frame',
  format: 'nexrad-l3',
  provider: 'NOAA/NWS',
  attribution: 'NOAA/NWS NEXRAD level 3',
  gives: [
    { name: 'reflectivity', unit: 'dBZ', description: 'reflectivity of the lowest beam' },
    { name: 'velocity', unit: 'm/s', description: 'radial velocity, positive away from the radar' },
    { name: 'storm_relative_velocity', unit: 'm/s', description: 'radial velocity minus the storm motion' },
    { name: 'hydrometeor_class', unit: 'class', description: 'type of the scatterers: rain, wet_snow, hail_rain, …' },
  ],
  domains: [conus, alaska, hawaii],
  sites: {
    conus: contiguous.trim().split(/\s+/),
    ...outerSites,
  },
  products: radarProducts.map(({ mnemonic }) => mnemonic),
  ...level3Bucket,
}
