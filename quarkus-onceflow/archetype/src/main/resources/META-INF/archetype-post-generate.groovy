// Archives of Java forget who may execute a file.
new File(request.outputDirectory, request.artifactId + '/mvnw').setExecutable(true)
