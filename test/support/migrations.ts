/** The migrations of each database in order, with a hash of their texts. What is released keeps its line as it is. */
export const SQLITE_HASHES: { readonly [name: string]: string } = {
  '0001-tables': '6901fc8fb1fc2c99c89c61a25e47a324bf540c92d310cd157a9d3ab464dd0977',
  '0002-views': '93b2d4d30cf4ef5199294cc8230c9246f3de519a425e0c539c5d2c179e737fb9',
  '0003-streak-rankings': 'f6bdff6094c4cc67bad637b9705bfd72c131be3dc7c75e3255b1de1bd64e01e9',
  '0004-users': '6f4bd1b70f1a6bd05802e8edeb98f0fd010b66696900e2dd3c47a7b42019c4c6',
  '0005-mechanics': 'cf5e2f830433425e32b940d054a78763841c6b78b24f25b87f497a193500be26',
  '0006-messages': 'b2f33e8db891111e1fa11b99609e4edb9b8185743ac73854f47f1e6fee7ece1c',
  '0007-overview': 'd799ea561c7c9f13882dc864093513b3f66df1aaaae915a5aef16ca9360eb67a',
  '0008-snapshots': '7d5f77b3a7ab98d5278e3272b6159a5ba9d7c2452f167b187336ab2e3eec37e1',
  '0009-packed-rows': 'f9d2aac71579d49e0dfb30968ac4a0754e4b88b2dc0108ffcb567c538350022e',
}
export const POSTGRES_HASHES: { readonly [name: string]: string } = {
  '0001-tables': '8083ef8dbcfb4ae960c73823c82fc9148ee0ff18fdfa300dee6f53730bfc3d32',
  '0002-views': '2fa5cd38f9ab0c98eda750fbcd45d7807d986f850e21bcb364d54428b853a371',
  '0003-streak-rankings': 'ef3b9f094e7ef974935d225fc5c8f5d24fe4e9e5d0fabe378da298cb97f3a275',
  '0004-users': '5071e149d4f2946022ee059ad4d386f7e3373041fd5b8ac1f2ee4069b5d0d3a8',
  '0005-mechanics': '62406d1758f59ddd126f99d60658937f9ebbe75107471c269318313d64276663',
  '0006-messages': '28ea75165c278107e19047dd5d9c93245861ddfb5140f83a6e9cb5112dbe9f4b',
  '0007-overview': 'b8e29b51f1ddfb6d083fa65d1371b93659652bc8cc6ad2303d1d3f8e7227e0da',
  '0008-snapshots': 'a626c05451cb1e90bbbac908ece629048adac4033d7aeb73aed04a3195b4d372',
  '0009-rank-sets': '873542d0f1e7d159bf4194b3c6aeff4419cc4323f3842f9a4f7e370a057ff1fe',
  '0010-locked-groups': '31b834e70a08d555c4fe580c3a3ca566344ca86c9e7f2c2e7295fe1f61079fc3',
  '0011-typed-rows': '8f9e61778c1edc1b008f6140ad4706e4d06f734038598df1f8b2a3b28f98cea8',
  '0012-packed-rows': 'dbdacc543f9fde54179a434056b9b059d3bb379ca74b4956d7cb3b904318ec88',
}

export const SQLITE_NAMES: readonly string[] = Object.keys(SQLITE_HASHES)
export const POSTGRES_NAMES: readonly string[] = Object.keys(POSTGRES_HASHES)
