package io.onceflow.adoption;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Date;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyPacket;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPSecretKey;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.jcajce.JcaPGPObjectFactory;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentVerifierBuilderProvider;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPDigestCalculatorProviderBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPKeyPair;

/** An OpenPGP key of one test, without a passphrase. */
final class ThrowAwayKey {

  private static final int BITS = 2048;

  private final PGPSecretKey key;

  private ThrowAwayKey(PGPSecretKey key) {
    this.key = key;
  }

  static ThrowAwayKey make() throws GeneralSecurityException, PGPException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(BITS);
    JcaPGPKeyPair pair =
        new JcaPGPKeyPair(
            PublicKeyPacket.VERSION_4,
            PublicKeyAlgorithmTags.RSA_GENERAL,
            generator.generateKeyPair(),
            new Date());
    return new ThrowAwayKey(
        new PGPSecretKey(
            PGPSignature.POSITIVE_CERTIFICATION,
            pair,
            "Thrown away after the test <release@example.com>",
            new JcaPGPDigestCalculatorProviderBuilder().build().get(HashAlgorithmTags.SHA1),
            null,
            null,
            new JcaPGPContentSignerBuilder(
                PublicKeyAlgorithmTags.RSA_GENERAL, HashAlgorithmTags.SHA256),
            null));
  }

  /** As the environment variable {@code MAVEN_GPG_KEY} takes it. */
  String armored() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (OutputStream armor = ArmoredOutputStream.builder().build(text)) {
      key.encode(armor);
    }
    return text.toString(StandardCharsets.US_ASCII);
  }

  /** Whether the file beside a file is its signature by this key. */
  boolean hasSigned(Path file) throws IOException, PGPException {
    Path signature = file.resolveSibling(file.getFileName() + ".asc");
    try (InputStream armored = PGPUtil.getDecoderStream(Files.newInputStream(signature))) {
      PGPSignature found =
          ((PGPSignatureList) new JcaPGPObjectFactory(armored).nextObject()).get(0);
      found.init(
          new JcaPGPContentVerifierBuilderProvider().setProvider(new BouncyCastleProvider()),
          key.getPublicKey());
      found.update(Files.readAllBytes(file));
      return found.verify();
    }
  }
}
